//! What changes a text: completion, other names, layout.

use lsp_server::ErrorCode;
use lsp_types::request as ask;
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, CompletionParams,
    CompletionResponse, DocumentFormattingParams, DocumentRangeFormattingParams,
    PrepareRenameResponse, RenameParams, TextDocumentPositionParams,
};

use crate::serve::lsp::protocol::requests::answer::{Answer, Refusal};
use crate::serve::lsp::protocol::requests::view::View;
use crate::serve::lsp::protocol::{convert, proposals};
use crate::serve::lsp::sheet::{self, RenameError};

pub(super) fn completion(view: &View<'_>, it: CompletionParams) -> Answer<ask::Completion> {
    let offset = view.offset(it.text_document_position.position);
    let found = sheet::completions(view.parts.sheet, view.parts.knowledge, offset);
    let items = proposals::items(view.parts.sheet, view.client, &found);
    Ok(Some(CompletionResponse::Array(items)))
}

pub(super) fn prepare_rename(
    view: &View<'_>,
    it: TextDocumentPositionParams,
) -> Answer<ask::PrepareRenameRequest> {
    let offset = view.offset(it.position);
    let (span, placeholder) = sheet::renamable(view.parts.sheet, offset).map_err(refused)?;
    Ok(Some(PrepareRenameResponse::RangeWithPlaceholder {
        range: view.range(span),
        placeholder,
    }))
}

pub(super) fn rename(view: &View<'_>, it: RenameParams) -> Answer<ask::Rename> {
    let offset = view.offset(it.text_document_position.position);
    let changes = sheet::rename(view.parts.sheet, offset, &it.new_name).map_err(refused)?;
    Ok(Some(view.workspace_edit(&changes)))
}

fn refused(error: RenameError) -> Refusal {
    Refusal {
        code: ErrorCode::RequestFailed,
        why: error.to_string(),
    }
}

pub(super) fn formatting(view: &View<'_>, _: DocumentFormattingParams) -> Answer<ask::Formatting> {
    let changes = sheet::formatted(view.parts.sheet);
    Ok(changes.map(|changes| view.text_edits(&changes)))
}

pub(super) fn range_formatting(
    view: &View<'_>,
    it: DocumentRangeFormattingParams,
) -> Answer<ask::RangeFormatting> {
    let changes = sheet::formatted_range(view.parts.sheet, view.span(it.range));
    Ok(Some(view.text_edits(&changes)))
}

/// The changes that mend what is wrong in a range.
pub(super) fn fixes(view: &View<'_>, it: CodeActionParams) -> Answer<ask::CodeActionRequest> {
    let range = view.span(it.range);
    let found = view.parts.diagnostics.iter();
    // Ends included: at the end of a line the cursor is behind the last character of a fault.
    let here = found.filter(|one| one.span.start <= range.end && range.start <= one.span.end);
    let fixes = here.flat_map(|one| one.fixes.iter().map(move |fix| (one, fix)));
    let actions = fixes.map(|(one, fix)| {
        let change = std::slice::from_ref(&fix.replacement);
        CodeActionOrCommand::CodeAction(CodeAction {
            title: fix.title.clone(),
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![convert::diagnostic(view.parts.sheet, &view.uri, one)]),
            edit: Some(view.workspace_edit(change)),
            // A key for automatic fixes applies the preferred one; where there is a choice, none is.
            is_preferred: Some(one.fixes.len() == 1),
            ..CodeAction::default()
        })
    });
    Ok(Some(actions.collect()))
}
