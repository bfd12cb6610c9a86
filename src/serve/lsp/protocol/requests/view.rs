//! One document as a request sees it: what was read and found out, and places of the protocol in both directions.

use lsp_server::ErrorCode;
use lsp_types::{
    CallHierarchyPrepareParams, CodeActionParams, CodeLensParams, CompletionParams,
    DocumentFormattingParams, DocumentHighlightParams, DocumentRangeFormattingParams,
    DocumentSymbolParams, FoldingRangeParams, GotoDefinitionParams, HoverParams, InlayHintParams,
    Location, Position, Range, ReferenceParams, RenameParams, SemanticTokensDeltaParams,
    SemanticTokensParams, SemanticTokensRangeParams, TextDocumentPositionParams, TextEdit, Uri,
    WorkspaceEdit,
};

use crate::serve::lsp::protocol::client::Client;
use crate::serve::lsp::protocol::convert;
use crate::serve::lsp::protocol::documents::{Documents, Parts};
use crate::serve::lsp::protocol::requests::answer::Refusal;
use crate::syntax::{Replacement, Span};

/// One document, and who asks.
pub(super) struct View<'d> {
    pub(super) client: &'d Client,
    pub(super) uri: Uri,
    pub(super) parts: Parts<'d>,
}

impl<'d> View<'d> {
    /// The document with a name, if it is open.
    pub(super) fn of(
        documents: &'d mut Documents,
        client: &'d Client,
        uri: &Uri,
    ) -> Result<Self, Refusal> {
        let document = documents.find(uri.as_str()).ok_or_else(|| Refusal {
            code: ErrorCode::InvalidParams,
            why: format!("{} is not open", uri.as_str()),
        })?;
        Ok(Self {
            client,
            uri: uri.clone(),
            parts: document.parts(),
        })
    }

    pub(super) fn offset(&self, position: Position) -> u32 {
        convert::offset(self.parts.sheet, position)
    }

    pub(super) fn position(&self, offset: u32) -> Position {
        convert::position(self.parts.sheet, offset)
    }

    /// A range of the protocol; empty if its ends are in the wrong order.
    pub(super) fn span(&self, range: Range) -> Span {
        let start = self.offset(range.start);
        Span::new(start, self.offset(range.end).max(start))
    }

    pub(super) fn range(&self, span: Span) -> Range {
        convert::range(self.parts.sheet, span)
    }

    pub(super) fn location(&self, span: Span) -> Location {
        Location::new(self.uri.clone(), self.range(span))
    }

    pub(super) fn text_edits(&self, changes: &[Replacement]) -> Vec<TextEdit> {
        convert::text_edits(self.parts.sheet, changes)
    }

    /// Changes of the document, with the version that they are meant for if the client takes it.
    pub(super) fn workspace_edit(&self, changes: &[Replacement]) -> WorkspaceEdit {
        let edits = self.text_edits(changes);
        convert::workspace_edit(self.client, &self.uri, self.parts.version, edits)
    }
}

/// Parameters that name a document.
pub(super) trait OfDocument {
    fn uri(&self) -> &Uri;
}

/// One row a type: the field that has the document.
macro_rules! of_document {
    ($($parameters:ty => $($field:ident).+,)*) => {
        $(impl OfDocument for $parameters {
            fn uri(&self) -> &Uri {
                &self.$($field).+.uri
            }
        })*
    };
}

of_document! {
    CallHierarchyPrepareParams => text_document_position_params.text_document,
    CodeActionParams => text_document,
    CodeLensParams => text_document,
    CompletionParams => text_document_position.text_document,
    DocumentFormattingParams => text_document,
    DocumentHighlightParams => text_document_position_params.text_document,
    DocumentRangeFormattingParams => text_document,
    DocumentSymbolParams => text_document,
    FoldingRangeParams => text_document,
    GotoDefinitionParams => text_document_position_params.text_document,
    HoverParams => text_document_position_params.text_document,
    InlayHintParams => text_document,
    ReferenceParams => text_document_position.text_document,
    RenameParams => text_document_position.text_document,
    SemanticTokensDeltaParams => text_document,
    SemanticTokensParams => text_document,
    SemanticTokensRangeParams => text_document,
    TextDocumentPositionParams => text_document,
    lsp_types::CallHierarchyIncomingCallsParams => item,
    lsp_types::CallHierarchyOutgoingCallsParams => item,
}
