//! What an editor shows beside and between the characters of a text.

use lsp_types::request as ask;
use lsp_types::{
    FoldingRange, FoldingRangeKind, FoldingRangeParams, InlayHint, InlayHintLabel, InlayHintParams,
    SemanticTokens, SemanticTokensParams, SemanticTokensResult,
};

use crate::serve::lsp::protocol::requests::{Answer, View};
use crate::serve::lsp::protocol::tokens;
use crate::serve::lsp::sheet::{self, FoldKind};

pub(super) fn folds(view: &View<'_>, _: FoldingRangeParams) -> Answer<ask::FoldingRangeRequest> {
    let folds = sheet::folds(view.parts.sheet).into_iter();
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
    view: &View<'_>,
    _: SemanticTokensParams,
) -> Answer<ask::SemanticTokensFullRequest> {
    let data = tokens::encode(view.parts.sheet, &sheet::tokens(view.parts.sheet));
    Ok(Some(SemanticTokensResult::Tokens(SemanticTokens {
        result_id: None,
        data,
    })))
}

pub(super) fn hints(view: &View<'_>, it: InlayHintParams) -> Answer<ask::InlayHintRequest> {
    let range = view.span(it.range);
    let found = sheet::hints(view.parts.sheet, view.parts.knowledge, range).into_iter();
    let shown = found.map(|hint| InlayHint {
        position: view.position(hint.offset),
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
