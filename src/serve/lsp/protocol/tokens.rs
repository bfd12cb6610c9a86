//! Tokens as the protocol has them: numbers, each place as the distance from the one before.

use lsp_types::{
    SemanticToken, SemanticTokenModifier, SemanticTokenType, SemanticTokensFullOptions,
    SemanticTokensLegend, SemanticTokensOptions, WorkDoneProgressOptions,
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
        range: None,
        full: Some(SemanticTokensFullOptions::Bool(true)),
    }
}

/// The tokens of a sheet, none of which is longer than its line.
pub(super) fn encode(sheet: &Sheet, tokens: &[Token]) -> Vec<SemanticToken> {
    let (mut line, mut column) = (0, 0);
    let encoded = tokens.iter().map(|token| {
        let range = convert::range(sheet, token.span);
        let start = range.start;
        let is_same_line = start.line == line;
        let encoded = SemanticToken {
            delta_line: start.line - line,
            delta_start: match is_same_line {
                true => start.character - column,
                false => start.character,
            },
            length: range.end.character.saturating_sub(start.character),
            token_type: KINDS
                .iter()
                .position(|(kind, _)| *kind == token.kind)
                .unwrap_or(0) as u32,
            token_modifiers_bitset: u32::from(token.is_defined),
        };
        (line, column) = (start.line, start.character);
        encoded
    });
    encoded.collect()
}
