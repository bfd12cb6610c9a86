//! What an editor shows beside and between the characters of a text.

use lsp_types::request as ask;
use lsp_types::{FoldingRange, FoldingRangeKind, FoldingRangeParams};

use crate::serve::lsp::protocol::capabilities::Client;
use crate::serve::lsp::protocol::documents::Documents;
use crate::serve::lsp::protocol::requests::{Answer, document};
use crate::serve::lsp::sheet::{self, FoldKind};

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
