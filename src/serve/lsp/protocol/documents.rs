//! The documents that are open in the editor: their texts as edited so far, and what is known of them.

use std::cell::RefCell;
use std::collections::BTreeMap;

use lsp_types::{SemanticToken, TextDocumentContentChangeEvent};

use crate::limits::{StopFlag, StopReason};
use crate::serve::lsp::protocol::study::{StudyFinding, StudyJob, StudyResult};
use crate::serve::lsp::sheet::{Knowledge, LineColumn, Lines, Sheet};
use crate::syntax::Diagnostic;

/// An open document.
#[derive(Debug)]
pub(super) struct Document {
    uri: String,
    version: i32,
    text: String,
    /// What reading the text gives; none since the last edit.
    sheet: Option<Sheet>,
    knowledge: Knowledge,
    /// What is wrong with the text, if this version was validated.
    diagnostics: Option<Vec<Diagnostic>>,
    /// Stops the study of this version.
    stop: StopFlag,
    /// The tokens that the client has, of this version or one before.
    shown: RefCell<Option<ShownTokens>>,
}

/// Tokens of a version of a text.
#[derive(Clone, Debug)]
pub(super) struct ShownTokens {
    pub(super) version: i32,
    pub(super) tokens: Vec<SemanticToken>,
}

impl Document {
    fn new(uri: &str, version: i32, text: String) -> Self {
        Self {
            uri: uri.to_owned(),
            version,
            text,
            sheet: None,
            knowledge: Knowledge::default(),
            diagnostics: None,
            stop: StopFlag::default(),
            shown: RefCell::new(None),
        }
    }

    pub(super) fn uri(&self) -> &str {
        &self.uri
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// All that answers are made of; reads the text if it was not read since the last edit.
    pub(super) fn parts(&mut self) -> Parts<'_> {
        let (uri, text) = (&self.uri, &self.text);
        let sheet = self.sheet.get_or_insert_with(|| Sheet::read(uri, text));
        Parts {
            version: self.version,
            sheet,
            knowledge: &self.knowledge,
            diagnostics: self.diagnostics.as_deref().unwrap_or_default(),
            shown: &self.shown,
        }
    }

    /// Edits the text: a range of it each time, or all of it.
    fn edit(&mut self, version: i32, changes: Vec<TextDocumentContentChangeEvent>) {
        for change in changes {
            let Some(range) = change.range else {
                self.text = change.text;
                continue;
            };
            let place = |position: lsp_types::Position| LineColumn {
                line: position.line,
                column: position.character,
            };
            // Changes build on each other, so that places are those of the text after the change before.
            let lines = Lines::of(&self.text);
            let span = lines.span(&self.text, place(range.start), place(range.end));
            self.text.replace_range(span.range(), &change.text);
        }
        self.version = version;
        // Knowledge stays: it names things and has no places.
        self.sheet = None;
        self.diagnostics = None;
    }

    /// What a worker has to do for the text as it is now; whatever is done for the one before stops.
    fn job(&mut self) -> StudyJob {
        self.stop.raise(StopReason::Interrupted);
        self.stop = StopFlag::default();
        StudyJob {
            uri: self.uri.clone(),
            version: self.version,
            text: self.text.clone(),
            stop: self.stop.clone(),
        }
    }
}

/// A document as it is now.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts<'d> {
    pub(super) version: i32,
    /// What reading the text gives.
    pub(super) sheet: &'d Sheet,
    /// What is known of this text or an earlier one.
    pub(super) knowledge: &'d Knowledge,
    /// What is wrong with this version, as far as it is known.
    pub(super) diagnostics: &'d [Diagnostic],
    /// The tokens that the client has.
    pub(super) shown: &'d RefCell<Option<ShownTokens>>,
}

/// All open documents.
#[derive(Debug, Default)]
pub(super) struct Documents {
    open: BTreeMap<String, Document>,
}

impl Documents {
    /// A document that is open.
    pub(super) fn find(&mut self, uri: &str) -> Option<&mut Document> {
        self.open.get_mut(uri)
    }

    /// All of them, in the order of their names.
    pub(super) fn all(&mut self) -> impl Iterator<Item = &mut Document> {
        self.open.values_mut()
    }

    pub(super) fn open(&mut self, uri: &str, version: i32, text: String) -> StudyJob {
        let document = Document::new(uri, version, text);
        self.open.insert(uri.to_owned(), document);
        let open = self.open.get_mut(uri);
        open.map_or_else(|| unreachable!("it was opened just now"), Document::job)
    }

    pub(super) fn close(&mut self, uri: &str) -> bool {
        let closed = self.open.remove(uri);
        if let Some(document) = &closed {
            document.stop.raise(StopReason::Interrupted);
        }
        closed.is_some()
    }

    /// Edits a document; nothing if it is not open.
    pub(super) fn edit(
        &mut self,
        uri: &str,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
    ) -> Option<StudyJob> {
        let document = self.open.get_mut(uri)?;
        document.edit(version, changes);
        Some(document.job())
    }

    /// Keeps what a worker has found out; gives the document if it was about its present text.
    pub(super) fn learn(&mut self, result: StudyResult) -> Option<&mut Document> {
        let document = self.open.get_mut(&result.uri)?;
        let is_present = document.version == result.version;
        // Knowledge of an earlier version is better than none; diagnostics have places, which hold in their version alone.
        match result.found {
            StudyFinding::Diagnostics(diagnostics) if is_present => {
                document.diagnostics = Some(diagnostics);
            }
            StudyFinding::Diagnostics(_) => {}
            StudyFinding::Domains(domains) => document.knowledge.domains = Some(domains),
            StudyFinding::Start(start) => document.knowledge.start = Some(start),
            StudyFinding::Effects(effects) => document.knowledge.effects = Some(effects),
        }
        is_present.then_some(document)
    }
}
