//! The call hierarchy, whose entries the client hands back to be followed further.
//!
//! An entry names what it is about, with the data that the protocol leaves to the server: its place may have moved, or
//! lie in a sentence that defines something else by then.

use lsp_server::ErrorCode;
use lsp_types::request as ask;
use lsp_types::{
    CallHierarchyIncomingCall, CallHierarchyIncomingCallsParams, CallHierarchyItem,
    CallHierarchyOutgoingCall, CallHierarchyOutgoingCallsParams, CallHierarchyPrepareParams,
    SymbolKind,
};
use serde_json::{Value, json};

use crate::gdl::Keyword;
use crate::serve::lsp::protocol::requests::answer::{Answer, Refusal};
use crate::serve::lsp::protocol::requests::view::View;
use crate::serve::lsp::sheet::{self, Definable, Entity, EntityKind, Owner, Sheet};

pub(super) fn prepare(
    view: &View<'_>,
    it: CallHierarchyPrepareParams,
) -> Answer<ask::CallHierarchyPrepare> {
    let offset = view.offset(it.text_document_position_params.position);
    let thing = sheet::callable(view.parts.sheet, offset);
    let item = thing.and_then(|thing| item(view, thing));
    Ok(item.map(|item| vec![item]))
}

pub(super) fn incoming(
    view: &View<'_>,
    it: CallHierarchyIncomingCallsParams,
) -> Answer<ask::CallHierarchyIncomingCalls> {
    let thing = followed(view, &it.item)?;
    let calls = sheet::incoming(view.parts.sheet, thing).into_iter();
    let shown = calls.filter_map(|call| {
        Some(CallHierarchyIncomingCall {
            from: item(view, call.other)?,
            from_ranges: call.places.iter().map(|&span| view.range(span)).collect(),
        })
    });
    Ok(Some(shown.collect()))
}

pub(super) fn outgoing(
    view: &View<'_>,
    it: CallHierarchyOutgoingCallsParams,
) -> Answer<ask::CallHierarchyOutgoingCalls> {
    let thing = followed(view, &it.item)?;
    let calls = sheet::outgoing(view.parts.sheet, thing).into_iter();
    let shown = calls.filter_map(|call| {
        Some(CallHierarchyOutgoingCall {
            to: item(view, call.other)?,
            from_ranges: call.places.iter().map(|&span| view.range(span)).collect(),
        })
    });
    Ok(Some(shown.collect()))
}

fn item(view: &View<'_>, thing: Definable) -> Option<CallHierarchyItem> {
    let sheet = view.parts.sheet;
    let definition = sheet::definition_of(sheet, thing)?;
    let entity = sheet.occurrences().entity(thing.entity);
    let (detail, kind) = match (thing.owner, entity.kind) {
        (Owner::Fluent, _) => ("fluent", SymbolKind::FIELD),
        (Owner::Move, _) => ("move", SymbolKind::METHOD),
        // Of the reserved words these are `terminal`, `goal` and `role`.
        (_, EntityKind::Keyword(_)) => ("keyword", SymbolKind::EVENT),
        _ => ("relation", SymbolKind::FUNCTION),
    };
    let name = sheet.occurrences().name(thing.entity);
    Some(CallHierarchyItem {
        name: sheet.signature(thing.entity),
        kind,
        tags: None,
        detail: Some(detail.to_owned()),
        uri: view.uri.clone(),
        range: view.range(definition.sentence),
        selection_range: view.range(definition.name),
        data: Some(json!({"is": detail, "name": name, "arity": entity.arity})),
    })
}

/// What an entry is about, in the text as it is now.
fn followed(view: &View<'_>, item: &CallHierarchyItem) -> Result<Definable, Refusal> {
    let data = item.data.as_ref();
    let thing = data.and_then(|data| named(view.parts.sheet, data));
    thing.ok_or_else(|| Refusal {
        code: ErrorCode::ContentModified,
        why: format!("there is no {} in the text", item.name),
    })
}

fn named(sheet: &Sheet, data: &Value) -> Option<Definable> {
    let name = data.get("name")?.as_str()?;
    let arity = u32::try_from(data.get("arity")?.as_u64()?).ok()?;
    let (owner, kind) = match data.get("is")?.as_str()? {
        "fluent" => (Owner::Fluent, EntityKind::Function),
        "move" => (Owner::Move, EntityKind::Function),
        "keyword" => {
            let mut all = Keyword::ALL.into_iter();
            let keyword = all.find(|keyword| keyword.name() == name)?;
            (Owner::Atom, EntityKind::Keyword(keyword))
        }
        _ => (Owner::Atom, EntityKind::Relation),
    };
    let name = sheet.occurrences().symbol(name)?;
    let entity = sheet.occurrences().find(Entity { kind, name, arity })?;
    Some(Definable { owner, entity })
}
