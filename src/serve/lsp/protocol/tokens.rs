//! Tokens as the protocol has them: numbers, each place as the distance from the one before.
//!
//! Distances make tokens behind a change what they were, so that a keystroke changes a few numbers of hundreds of thousands:
//!
//! ```text
//! before   (0,1,4,…) (0,5,5,…) (1,1,4,…) (0,6,4,…)
//! after    (0,1,4,…) (0,5,6,…) (1,1,4,…) (0,6,4,…)        from number 5 on, 5 numbers become (0,5,6,…)
//! ```

use lsp_types::{
    SemanticToken, SemanticTokenModifier, SemanticTokenType, SemanticTokensEdit,
    SemanticTokensFullOptions, SemanticTokensLegend, SemanticTokensOptions,
    WorkDoneProgressOptions,
};

use crate::serve::lsp::protocol::convert;
use crate::serve::lsp::sheet::{Sheet, Token, TokenKind};

/// The kinds in the order of their numbers.
const KINDS: [(TokenKind, SemanticTokenType); 9] = [
    (TokenKind::Keyword, SemanticTokenType::KEYWORD),
    (TokenKind::Relation, SemanticTokenType::FUNCTION),
    (TokenKind::Fluent, SemanticTokenType::PROPERTY),
    (TokenKind::Move, SemanticTokenType::METHOD),
    (TokenKind::Role, SemanticTokenType::CLASS),
    (TokenKind::Constant, SemanticTokenType::ENUM_MEMBER),
    (TokenKind::Number, SemanticTokenType::NUMBER),
    (TokenKind::Variable, SemanticTokenType::VARIABLE),
    (TokenKind::Comment, SemanticTokenType::COMMENT),
];

/// What the numbers mean.
pub(super) fn options() -> SemanticTokensOptions {
    SemanticTokensOptions {
        work_done_progress_options: WorkDoneProgressOptions::default(),
        legend: SemanticTokensLegend {
            token_types: KINDS.map(|(_, kind)| kind).to_vec(),
            token_modifiers: vec![SemanticTokenModifier::DEFINITION],
        },
        range: Some(true),
        full: Some(SemanticTokensFullOptions::Delta { delta: Some(true) }),
    }
}

/// The tokens of a sheet, none of which is longer than its line.
pub(super) fn encode(sheet: &Sheet, tokens: &[Token]) -> Vec<SemanticToken> {
    let (mut line, mut column) = (0, 0);
    let encoded = tokens.iter().map(|token| {
        let range = convert::range(sheet, token.span);
        let start = range.start;
        let is_same_line = start.line == line;
        // Places are relative to the token before: the column too, if both are on one line.
        let encoded = SemanticToken {
            delta_line: start.line - line,
            delta_start: if is_same_line {
                start.character - column
            } else {
                start.character
            },
            length: range.end.character.saturating_sub(start.character),
            token_type: KINDS
                .iter()
                .position(|(kind, _)| *kind == token.kind)
                .unwrap_or(0) as u32,
            // Bit 0 is the first modifier of the legend, `definition`.
            token_modifiers_bitset: u32::from(token.is_defined),
        };
        (line, column) = (start.line, start.character);
        encoded
    });
    encoded.collect()
}

/// Numbers of a token.
const LENGTH: usize = 5;

/// The one change that makes tokens of others; none if they are the same.
pub(super) fn change(
    before: &[SemanticToken],
    after: &[SemanticToken],
) -> Option<SemanticTokensEdit> {
    if before == after {
        return None;
    }
    let both = before.iter().zip(after);
    let same = both.take_while(|(one, other)| one == other).count();
    let (before, after) = (&before[same..], &after[same..]);
    // Only in what is left, so that beginning and end do not overlap: from 1 1 1 to 1 1 the third goes.
    let both = before.iter().rev().zip(after.iter().rev());
    let same_end = both.take_while(|(one, other)| one == other).count();
    Some(SemanticTokensEdit {
        start: (same * LENGTH) as u32,
        delete_count: ((before.len() - same_end) * LENGTH) as u32,
        data: Some(after[..after.len() - same_end].to_vec()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(delta_start: u32) -> SemanticToken {
        SemanticToken {
            delta_start,
            ..SemanticToken::default()
        }
    }

    #[test]
    fn a_change_is_as_small_as_it_can_be() {
        let of =
            |starts: &[u32]| -> Vec<SemanticToken> { starts.iter().copied().map(token).collect() };
        for (before, after, start, deleted, inserted) in [
            (&[1, 2, 3][..], &[1, 9, 3][..], 5, 5, &[9][..]),
            (&[1, 3], &[1, 2, 3], 5, 0, &[2]),
            (&[1, 1, 1], &[1, 1], 10, 5, &[]),
            (&[], &[1], 0, 0, &[1]),
        ] {
            let change =
                change(&of(before), &of(after)).map(|it| (it.start, it.delete_count, it.data));
            assert_eq!(change, Some((start, deleted, Some(of(inserted)))));
        }
        assert_eq!(change(&of(&[1, 2]), &of(&[1, 2])), None);
    }
}
