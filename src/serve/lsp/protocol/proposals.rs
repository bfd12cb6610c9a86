//! Proposals as the protocol has them.

use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionTextEdit, InsertTextFormat, TextEdit,
};

use crate::serve::lsp::protocol::client::Client;
use crate::serve::lsp::protocol::convert;
use crate::serve::lsp::sheet::{Completion, CompletionKind, Completions, Piece, Sheet};

/// The items of a list; the order is that of the proposals.
pub(super) fn items(sheet: &Sheet, client: &Client, found: &Completions) -> Vec<CompletionItem> {
    let range = convert::range(sheet, found.word);
    let items = found.all.iter().enumerate().map(|(number, one)| {
        let (text, format) = if client.takes_snippets && has_hole(one) {
            (snippet(one), InsertTextFormat::SNIPPET)
        } else {
            (plain(one), InsertTextFormat::PLAIN_TEXT)
        };
        CompletionItem {
            label: one.label.clone(),
            kind: Some(kind(one.kind)),
            detail: Some(one.detail.clone()).filter(|detail| !detail.is_empty()),
            // Editors sort by this text and not by the place in the list: `00007` stands before `00012`.
            sort_text: Some(format!("{number:05}")),
            insert_text_format: Some(format),
            // The range says what is replaced: what an editor takes for a word may end within a name, such as at a `+`.
            text_edit: Some(CompletionTextEdit::Edit(TextEdit::new(range, text))),
            ..CompletionItem::default()
        }
    });
    items.collect()
}

fn kind(kind: CompletionKind) -> CompletionItemKind {
    match kind {
        CompletionKind::Variable => CompletionItemKind::VARIABLE,
        CompletionKind::Role => CompletionItemKind::CLASS,
        CompletionKind::Constant => CompletionItemKind::VALUE,
        CompletionKind::Fluent => CompletionItemKind::FIELD,
        CompletionKind::Move => CompletionItemKind::METHOD,
        CompletionKind::Function => CompletionItemKind::CONSTRUCTOR,
        CompletionKind::Relation => CompletionItemKind::FUNCTION,
        CompletionKind::Keyword => CompletionItemKind::KEYWORD,
    }
}

fn has_hole(one: &Completion) -> bool {
    one.pieces
        .iter()
        .any(|piece| matches!(piece, Piece::Hole(_)))
}

/// `cell ${1:?m} ${2:?n}`
fn snippet(one: &Completion) -> String {
    let mut text = String::new();
    let mut number = 0;
    for piece in &one.pieces {
        match piece {
            Piece::Text(piece) => text += &escaped(piece),
            Piece::Hole(hole) => {
                number += 1;
                text += &format!("${{{number}:{}}}", escaped(hole));
            }
        }
    }
    text
}

/// Without the signs that mean something in a snippet.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(character, '$' | '}' | '\\') {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

/// For a client without snippets, the text up to the first hole.
fn plain(one: &Completion) -> String {
    let texts = one.pieces.iter().map_while(|piece| match piece {
        Piece::Text(text) => Some(text.as_str()),
        Piece::Hole(_) => None,
    });
    texts.collect()
}
