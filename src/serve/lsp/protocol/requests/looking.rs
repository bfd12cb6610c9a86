//! What an editor shows beside and between the characters of a text.

use lsp_types::request as ask;
use lsp_types::{
    FoldingRange, FoldingRangeKind, FoldingRangeParams, InlayHint, InlayHintLabel, InlayHintParams,
    SemanticToken, SemanticTokens, SemanticTokensDelta, SemanticTokensDeltaParams,
    SemanticTokensFullDeltaResult, SemanticTokensParams, SemanticTokensRangeParams,
    SemanticTokensRangeResult, SemanticTokensResult,
};

use crate::serve::lsp::protocol::documents::ShownTokens;
use crate::serve::lsp::protocol::requests::answer::Answer;
use crate::serve::lsp::protocol::requests::view::View;
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
    let data = all_tokens(view);
    remember(view, data.clone());
    Ok(Some(SemanticTokensResult::Tokens(shown(view, data))))
}

/// What is different from the tokens that the client has; all of them if it has others.
pub(super) fn tokens_delta(
    view: &View<'_>,
    it: SemanticTokensDeltaParams,
) -> Answer<ask::SemanticTokensFullDeltaRequest> {
    let data = all_tokens(view);
    let before = remember(view, data.clone());
    // The id of a result is the version of its text.
    let before = before.filter(|before| before.version.to_string() == it.previous_result_id);
    Ok(Some(match before {
        None => SemanticTokensFullDeltaResult::Tokens(shown(view, data)),
        Some(before) => {
            let change = tokens::change(&before.tokens, &data);
            SemanticTokensFullDeltaResult::TokensDelta(SemanticTokensDelta {
                result_id: Some(view.parts.version.to_string()),
                edits: change.into_iter().collect(),
            })
        }
    }))
}

pub(super) fn tokens_of_range(
    view: &View<'_>,
    it: SemanticTokensRangeParams,
) -> Answer<ask::SemanticTokensRangeRequest> {
    let tokens = sheet::tokens(view.parts.sheet, view.span(it.range));
    let data = tokens::encode(view.parts.sheet, &tokens);
    Ok(Some(SemanticTokensRangeResult::Tokens(SemanticTokens {
        // Tokens of a range are no basis for a later difference.
        result_id: None,
        data,
    })))
}

fn all_tokens(view: &View<'_>) -> Vec<SemanticToken> {
    let sheet = view.parts.sheet;
    tokens::encode(sheet, &sheet::tokens(sheet, sheet.span()))
}

/// Keeps the tokens that the client is about to have; gives those that it had.
fn remember(view: &View<'_>, tokens: Vec<SemanticToken>) -> Option<ShownTokens> {
    let version = view.parts.version;
    view.parts
        .shown
        .replace(Some(ShownTokens { version, tokens }))
}

fn shown(view: &View<'_>, data: Vec<SemanticToken>) -> SemanticTokens {
    SemanticTokens {
        result_id: Some(view.parts.version.to_string()),
        data,
    }
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
