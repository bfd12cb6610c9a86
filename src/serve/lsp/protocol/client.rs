//! What the server has to know of the client.

use lsp_types::InitializeParams;
use serde_json::Value;

/// What the client can do.
#[derive(Clone, Debug, Default)]
pub(super) struct Client {
    /// Whether it asks again for inlay hints when it is told to.
    pub(super) refreshes_hints: bool,
    /// The same for code lenses.
    pub(super) refreshes_lenses: bool,
    /// Whether it can show symbols inside of others.
    pub(super) nests_symbols: bool,
    /// Whether a completion may have holes to be filled in.
    pub(super) takes_snippets: bool,
    /// Whether changes may name the version of the text that they are meant for.
    pub(super) takes_versions: bool,
    /// The commands that it carries out.
    commands: Vec<String>,
}

impl Client {
    /// Whether it carries out a command.
    pub(super) fn carries_out(&self, command: &str) -> bool {
        self.commands.iter().any(|name| name == command)
    }

    /// Reads it off the first request.
    pub(super) fn of(parameters: &InitializeParams) -> Self {
        let workspace = parameters.capabilities.workspace.as_ref();
        let texts = parameters.capabilities.text_document.as_ref();
        let hints = workspace.and_then(|it| it.inlay_hint.as_ref()?.refresh_support);
        let lenses = workspace.and_then(|it| it.code_lens.as_ref()?.refresh_support);
        let nests = texts.and_then(|it| {
            it.document_symbol
                .as_ref()?
                .hierarchical_document_symbol_support
        });
        let snippets = texts.and_then(|it| {
            let item = it.completion.as_ref()?.completion_item.as_ref()?;
            item.snippet_support
        });
        let versions = workspace.and_then(|it| it.workspace_edit.as_ref()?.document_changes);
        // A capability that is not mentioned is one that the client does not have, by the protocol.
        Self {
            refreshes_hints: hints.unwrap_or(false),
            refreshes_lenses: lenses.unwrap_or(false),
            nests_symbols: nests.unwrap_or(false),
            takes_snippets: snippets.unwrap_or(false),
            takes_versions: versions.unwrap_or(false),
            commands: commands(parameters),
        }
    }
}

/// The commands that a client says that it carries out.
fn commands(parameters: &InitializeParams) -> Vec<String> {
    let options = parameters.initialization_options.as_ref();
    let named = options.and_then(|options| options.get("commands")?.as_array());
    let names = named.into_iter().flatten().filter_map(Value::as_str);
    names.map(str::to_owned).collect()
}
