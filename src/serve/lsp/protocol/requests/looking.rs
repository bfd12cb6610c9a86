//! What an editor shows beside and between the characters of a text.

use lsp_types::request as ask;
use lsp_types::{
    FoldingRange, FoldingRangeKind, FoldingRangeParams, InlayHint, InlayHintLabel, InlayHintParams,
    SemanticTokens, SemanticTokensParams, SemanticTokensResult,
};

use crate::serve::lsp::protocol::capabilities::Client;
use crate::serve::lsp::protocol::documents::Documents;
use crate::serve::lsp::protocol::requests::{Answer, document};
use crate::serve::lsp::protocol::{convert, tokens};
use crate::serve::lsp::sheet::{self, FoldKind};
use crate::syntax::Span;

pub(super) fn folds(
    documents: &mut Documents,
    _: &Client,
    it: FoldingRangeParams,
) -> Answer<ask::FoldingRangeRequest> {
    let sheet = document(documents, &it.text_document.uri)?.sheet();
    let folds = sheet::folds(sheet).into_iter();
    let shown = folds.map(|fold| FoldingRange {
        start_line: fold.first,
        end_line: fold.last,
        kind: match fold.kind {
            FoldKind::Entry => Some(FoldingRangeKind::Region),
            FoldKind::Comment => Some(FoldingRangeKind::Comment),
            FoldKind::Sentence => None,
        },
        ..FoldingRange::default()
    });
    Ok(Some(shown.collect()))
}

pub(super) fn tokens(
    documents: &mut Documents,
    _: &Client,
    it: SemanticTokensParams,
) -> Answer<ask::SemanticTokensFullRequest> {
    let sheet = document(documents, &it.text_document.uri)?.sheet();
    let data = tokens::encode(sheet, &sheet::tokens(sheet));
    Ok(Some(SemanticTokensResult::Tokens(SemanticTokens {
        result_id: None,
        data,
    })))
}

pub(super) fn hints(
    documents: &mut Documents,
    _: &Client,
    it: InlayHintParams,
) -> Answer<ask::InlayHintRequest> {
    let (sheet, knowledge) = document(documents, &it.text_document.uri)?.parts();
    let start = convert::offset(sheet, it.range.start);
    let end = convert::offset(sheet, it.range.end).max(start);
    let found = sheet::hints(sheet, knowledge, Span::new(start, end)).into_iter();
    let shown = found.map(|hint| InlayHint {
        position: convert::position(sheet, hint.offset),
        label: InlayHintLabel::String(hint.text),
        kind: None,
        text_edits: None,
        tooltip: None,
        padding_left: Some(true),
        padding_right: None,
        data: None,
    });
    Ok(Some(shown.collect()))
}
