//! What changes a text: completion, other names, layout.

use lsp_server::ErrorCode;
use lsp_types::request as ask;
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, CompletionParams,
    CompletionResponse, DocumentFormattingParams, DocumentRangeFormattingParams,
    PrepareRenameResponse, RenameParams, TextDocumentPositionParams,
};

use crate::serve::lsp::protocol::capabilities::Client;
use crate::serve::lsp::protocol::documents::Documents;
use crate::serve::lsp::protocol::requests::{Answer, Refusal, document, place};
use crate::serve::lsp::protocol::{convert, proposals};
use crate::serve::lsp::sheet::{self, RenameError};
use crate::syntax::Span;

pub(super) fn completion(
    documents: &mut Documents,
    client: &Client,
    it: CompletionParams,
) -> Answer<ask::Completion> {
    let (document, offset) = place(documents, &it.text_document_position)?;
    let (sheet, knowledge) = document.parts();
    let found = sheet::completions(sheet, knowledge, offset);
    let items = proposals::items(sheet, client, &found);
    Ok(Some(CompletionResponse::Array(items)))
}

pub(super) fn prepare_rename(
    documents: &mut Documents,
    _: &Client,
    it: TextDocumentPositionParams,
) -> Answer<ask::PrepareRenameRequest> {
    let (document, offset) = place(documents, &it)?;
    let sheet = document.sheet();
    let (span, placeholder) = sheet::renamable(sheet, offset).map_err(refused)?;
    let range = convert::range(sheet, span);
    Ok(Some(PrepareRenameResponse::RangeWithPlaceholder {
        range,
        placeholder,
    }))
}

pub(super) fn rename(
    documents: &mut Documents,
    client: &Client,
    it: RenameParams,
) -> Answer<ask::Rename> {
    let at = it.text_document_position;
    let (document, offset) = place(documents, &at)?;
    let version = document.version();
    let sheet = document.sheet();
    let changes = sheet::rename(sheet, offset, &it.new_name).map_err(refused)?;
    let uri = &at.text_document.uri;
    Ok(Some(convert::workspace_edit(
        sheet, client, uri, version, &changes,
    )))
}

fn refused(error: RenameError) -> Refusal {
    Refusal {
        code: ErrorCode::RequestFailed,
        why: error.to_string(),
    }
}

pub(super) fn formatting(
    documents: &mut Documents,
    _: &Client,
    it: DocumentFormattingParams,
) -> Answer<ask::Formatting> {
    let sheet = document(documents, &it.text_document.uri)?.sheet();
    let changes = sheet::formatted(sheet);
    Ok(changes.map(|changes| convert::text_edits(sheet, &changes)))
}

pub(super) fn range_formatting(
    documents: &mut Documents,
    _: &Client,
    it: DocumentRangeFormattingParams,
) -> Answer<ask::RangeFormatting> {
    let sheet = document(documents, &it.text_document.uri)?.sheet();
    let start = convert::offset(sheet, it.range.start);
    let end = convert::offset(sheet, it.range.end).max(start);
    let changes = sheet::formatted_range(sheet, Span::new(start, end));
    Ok(Some(convert::text_edits(sheet, &changes)))
}

/// The changes that mend what is wrong in a range.
pub(super) fn fixes(
    documents: &mut Documents,
    client: &Client,
    it: CodeActionParams,
) -> Answer<ask::CodeActionRequest> {
    let uri = it.text_document.uri;
    let document = document(documents, &uri)?;
    let version = document.version();
    let found = document.diagnostics().to_vec();
    let sheet = document.sheet();
    let start = convert::offset(sheet, it.range.start);
    let end = convert::offset(sheet, it.range.end).max(start);
    let here = found
        .iter()
        .filter(|one| one.span.start <= end && start <= one.span.end);
    let fixes = here.flat_map(|one| one.fixes.iter().map(move |fix| (one, fix)));
    let actions = fixes.map(|(one, fix)| {
        let change = std::slice::from_ref(&fix.replacement);
        CodeActionOrCommand::CodeAction(CodeAction {
            title: fix.title.clone(),
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![convert::diagnostic(sheet, &uri, one)]),
            edit: Some(convert::workspace_edit(
                sheet, client, &uri, version, change,
            )),
            is_preferred: Some(one.fixes.len() == 1),
            ..CodeAction::default()
        })
    });
    Ok(Some(actions.collect()))
}
