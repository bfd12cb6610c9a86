// The language server before the client library that VS Code stands on: a sheet is opened and typed into, and each
// feature is asked for and held against what it must answer.
//
//     npm install && node client.mjs FLUX

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import protocol from "vscode-languageserver-protocol/node.js";

const flux = process.argv[2] ?? "flux";
const URI = "file:///sheet.kif";
const SHEET = `(role white)
(init (cell 1 b))
(init (cell 2 b))
(<= (legal white (mark ?n)) (true (cell ?n b)))
(<= (next (cell ?n x)) (does white (mark ?n)))
(<= (next (cell ?n ?v)) (true (cell ?n ?v)) (does white (mark ?m)) (distinct ?n ?m))
(<= terminal (not open))
(<= open (true (cell ?n b)))
(goal white 50)
`;

const server = spawn(flux, ["lsp", "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
const connection = protocol.createProtocolConnection(
  new protocol.StreamMessageReader(server.stdout),
  new protocol.StreamMessageWriter(server.stdin),
);

let text = "";
let version = 0;
let published;
let refreshed = 0;
let messages = [];
connection.onNotification(protocol.PublishDiagnosticsNotification.type, (it) => (published = it));
connection.onNotification(protocol.ShowMessageNotification.type, (it) => messages.push(it.message));
connection.onRequest(protocol.InlayHintRefreshRequest.type, () => {
  refreshed += 1;
  return null;
});
connection.onRequest(protocol.CodeLensRefreshRequest.type, () => null);
connection.listen();

/** The place of the bar in the first such piece of the text. */
function place(piece) {
  const at = piece.indexOf("|");
  const found = text.indexOf(piece.replace("|", ""));
  assert.notEqual(found, -1, piece);
  return positionAt(found + at);
}

function positionAt(offset) {
  const lines = text.slice(0, offset).split("\n");
  return { line: lines.length - 1, character: lines.at(-1).length };
}

function at(piece) {
  return { textDocument: { uri: URI }, position: place(piece) };
}

async function open(uri, content) {
  text = content;
  version = 1;
  [published, refreshed] = [undefined, 0];
  const textDocument = { uri, languageId: "gdl", version, text };
  await connection.sendNotification(protocol.DidOpenTextDocumentNotification.type, { textDocument });
}

async function replace(start, end, inserted) {
  const range = { start: positionAt(start), end: positionAt(end) };
  text = text.slice(0, start) + inserted + text.slice(end);
  version += 1;
  [published, refreshed] = [undefined, 0];
  await connection.sendNotification(protocol.DidChangeTextDocumentNotification.type, {
    textDocument: { uri: URI, version },
    contentChanges: [{ range, text: inserted }],
  });
}

/** Types text at the bar, one character a message. */
async function type(piece, typed) {
  let offset = text.indexOf(piece.replace("|", "")) + piece.indexOf("|");
  for (const character of typed) {
    await replace(offset, offset, character);
    offset += character.length;
  }
}

async function apply(edits) {
  const offset = ({ line, character }) => text.split("\n").slice(0, line).join("\n").length + (line > 0) + character;
  const places = edits.map((edit) => [offset(edit.range.start), offset(edit.range.end), edit.newText]);
  places.sort((one, other) => other[0] - one[0]);
  for (const [start, end, inserted] of places) {
    await replace(start, end, inserted);
  }
}

async function until(condition, what) {
  const end = Date.now() + 30000;
  while (!condition()) {
    assert.ok(Date.now() < end, `there is no sign of ${what}`);
    await new Promise((done) => setTimeout(done, 5));
  }
}

const diagnosed = () => until(() => published?.version === version, "diagnostics");
const studied = () => until(() => refreshed >= 3, "domains, initial state and effects");
const ask = (type, parameters) => connection.sendRequest(type, parameters);
const document = { textDocument: { uri: URI } };
const whole = () => ({ start: positionAt(0), end: positionAt(text.length) });

const features = {
  async "diagnostics while typing, and their fixes"() {
    await type("(goal white 50)\n|", "(<= lost (true (clel 1 b)))");
    await diagnosed();
    const fault = published.diagnostics.find((one) => one.message.includes("clel"));
    assert.ok(fault, JSON.stringify(published.diagnostics));
    const context = { diagnostics: [fault] };
    const actions = await ask(protocol.CodeActionRequest.type, { ...document, range: fault.range, context });
    const fix = actions.find((action) => action.title.includes("cell"));
    await apply(fix.edit.documentChanges[0].edits);
    assert.ok(text.includes("(<= lost (true (cell 1 b)))"));
    await diagnosed();
    assert.ok(!published.diagnostics.some((one) => one.message.includes("clel")));
  },
  async completion() {
    await type("(goal white 50)\n|", "(<= won (true (cell 1 ");
    const items = await ask(protocol.CompletionRequest.type, at("(<= won (true (cell 1 |"));
    const labels = items.map((item) => item.label);
    assert.ok(labels.includes("b") && labels.includes("x"), labels.join(" "));
    const x = items.find((item) => item.label === "x");
    await apply([x.textEdit]);
    await type("(<= won (true (cell 1 x|", ")))\n");
    assert.ok(text.includes("(<= won (true (cell 1 x)))\n"));
  },
  async hover() {
    await studied();
    const { contents } = await ask(protocol.HoverRequest.type, at("(init (ce|ll 1 b"));
    for (const part of ["fluent `cell/2`", "1. `1`, `2`", "at the start: true"]) {
      assert.ok(contents.value.includes(part), contents.value);
    }
    const move = await ask(protocol.HoverRequest.type, at("(legal white (ma|rk"));
    assert.ok(move.contents.value.includes("State update axioms"), move.contents.value);
  },
  async definition() {
    const found = await ask(protocol.DefinitionRequest.type, at("(not op|en)"));
    assert.deepEqual(found.map((one) => one.range.start), [place("(<= |open")]);
  },
  async references() {
    const context = { includeDeclaration: true };
    const found = await ask(protocol.ReferencesRequest.type, { ...at("(not op|en)"), context });
    assert.equal(found.length, 2);
  },
  async highlight() {
    const found = await ask(protocol.DocumentHighlightRequest.type, at("(not op|en)"));
    const kinds = found.map((one) => one.kind);
    assert.deepEqual(kinds, [protocol.DocumentHighlightKind.Read, protocol.DocumentHighlightKind.Write]);
  },
  async rename() {
    assert.equal((await ask(protocol.PrepareRenameRequest.type, at("(not op|en)"))).placeholder, "open");
    const edit = await ask(protocol.RenameRequest.type, { ...at("(not op|en)"), newName: "free" });
    await apply(edit.documentChanges[0].edits);
    assert.ok(text.includes("(not free)") && text.includes("(<= free "));
    await assert.rejects(ask(protocol.RenameRequest.type, { ...at("(not fr|ee)"), newName: "true" }));
  },
  async "document and workspace symbols"() {
    const symbols = await ask(protocol.DocumentSymbolRequest.type, document);
    const cell = symbols.find((one) => one.name === "init cell/2");
    assert.equal(cell.children.length, 2);
    const found = await ask(protocol.WorkspaceSymbolRequest.type, { query: "nxcl" });
    assert.ok(found.length > 0 && found.every((one) => one.name === "next cell/2"));
  },
  async "semantic tokens"() {
    const { data } = await ask(protocol.SemanticTokensRequest.type, document);
    // (role white): a keyword at 0:1 of four characters, and then a role that is defined.
    assert.deepEqual(data.slice(0, 10), [0, 1, 4, 0, 1, 0, 5, 5, 4, 1]);
    const lines = { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } };
    const first = await ask(protocol.SemanticTokensRangeRequest.type, { ...document, range: lines });
    assert.deepEqual(first.data, data.slice(0, 10));
  },
  async "changes of semantic tokens"() {
    const before = await ask(protocol.SemanticTokensRequest.type, document);
    await type("(role white)|", " ; alone");
    const parameters = { ...document, previousResultId: before.resultId };
    const delta = await ask(protocol.SemanticTokensDeltaRequest.type, parameters);
    const data = [...before.data];
    for (const edit of delta.edits) {
      data.splice(edit.start, edit.deleteCount, ...(edit.data ?? []));
    }
    assert.equal(delta.edits[0].data.length, 5);
    const after = await ask(protocol.SemanticTokensRequest.type, document);
    assert.deepEqual(data, after.data);
    // Of tokens that the server does not know there is no change.
    const whole = await ask(protocol.SemanticTokensDeltaRequest.type, { ...parameters, previousResultId: "other" });
    assert.deepEqual(whole.data, after.data);
  },
  async "inlay hints"() {
    await studied();
    const hints = await ask(protocol.InlayHintRequest.type, { ...document, range: whole() });
    const labels = hints.map((hint) => hint.label);
    assert.ok(labels.includes(": 1, 2"), labels.join("; "));
    assert.ok(labels.some((label) => label.includes("frame axiom of cell")), labels.join("; "));
  },
  async "code lenses, and what they do"() {
    const lenses = await ask(protocol.CodeLensRequest.type, document);
    const commands = lenses.map((lens) => lens.command);
    assert.ok(commands.some((one) => one.title === "4 fluents" && one.command === ""));
    assert.ok(commands.some((one) => one.command === "flux.solve" && one.arguments[0] === URI));
    assert.ok(!commands.some((one) => one.command === "flux.play"), "a command that the client does not have");
    const why = commands.find((one) => one.command === "flux.why" && one.title.includes("legal"));
    const told = await ask(protocol.ExecuteCommandRequest.type, why);
    assert.ok(told.holds && told.markdown.includes("`(legal white (mark 1))` by line 4"), told.markdown);
    assert.deepEqual(messages, [told.markdown]);
  },
  async "call hierarchy"() {
    const [item] = await ask(protocol.CallHierarchyPrepareRequest.type, at("(not fr|ee)"));
    const incoming = await ask(protocol.CallHierarchyIncomingCallsRequest.type, { item });
    assert.deepEqual(incoming.map((call) => call.from.name), ["terminal"]);
    const outgoing = await ask(protocol.CallHierarchyOutgoingCallsRequest.type, { item });
    assert.deepEqual(outgoing.map((call) => call.to.name), ["cell/2"]);
    const further = await ask(protocol.CallHierarchyOutgoingCallsRequest.type, { item: outgoing[0].to });
    assert.deepEqual(further.map((call) => call.to.name), ["mark/1", "cell/2"]);
  },
  async folding() {
    const folds = await ask(protocol.FoldingRangeRequest.type, document);
    assert.ok(folds.some((fold) => fold.startLine === 1 && fold.endLine === 2), JSON.stringify(folds));
  },
  async formatting() {
    await type("|(goal white 50)", "(  goal   white 40 )\n");
    const options = { tabSize: 4, insertSpaces: true };
    const range = { start: place("|(  goal"), end: place("white 40 |)") };
    await apply(await ask(protocol.DocumentRangeFormattingRequest.type, { ...document, range, options }));
    assert.ok(text.includes("(goal white 40)"), text);
    await type("|(goal white 40)", "\n\n");
    await apply(await ask(protocol.DocumentFormattingRequest.type, { ...document, options }));
    assert.equal(await ask(protocol.DocumentFormattingRequest.type, { ...document, options }).then((it) => it?.length ?? 0), 0);
  },
  async cancellation() {
    const source = new protocol.CancellationTokenSource();
    const asked = connection.sendRequest(
      protocol.ExecuteCommandRequest.type,
      { command: "flux.why", arguments: [URI, "terminal"] },
      source.token,
    );
    source.cancel();
    // It may have been answered before.
    await asked.catch((error) => assert.equal(error.code, protocol.LSPErrorCodes.RequestCancelled));
  },
  async "infix notation"() {
    await connection.sendNotification(protocol.DidCloseTextDocumentNotification.type, document);
    await open(URI, "role(white).\ninit(cell(1, b)).\nlegal(white, mark(N)) :- true(cell(N, b)).\n" +
      "next(cell(N, x)) :- does(white, mark(N)).\nterminal :- true(cell(1, x)).\ngoal(white, 50).\n");
    await studied();
    const { contents } = await ask(protocol.HoverRequest.type, at("init(ce|ll(1, b"));
    assert.ok(contents.value.includes("at the start: true"), contents.value);
    const told = await ask(protocol.ExecuteCommandRequest.type, { command: "flux.why", arguments: [URI, "terminal"] });
    assert.ok(!told.holds && told.markdown.includes("`(true (cell 1 x))` fails"), told.markdown);
  },
};

await ask(protocol.InitializeRequest.type, {
  processId: process.pid,
  rootUri: null,
  capabilities: {
    workspace: {
      inlayHint: { refreshSupport: true },
      codeLens: { refreshSupport: true },
      workspaceEdit: { documentChanges: true },
    },
    textDocument: {
      documentSymbol: { hierarchicalDocumentSymbolSupport: true },
      codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix"] } } },
    },
  },
  initializationOptions: { commands: ["flux.explore", "flux.solve"] },
});
await connection.sendNotification(protocol.InitializedNotification.type, {});
await open(URI, SHEET);
let failed = 0;
for (const [name, run] of Object.entries(features)) {
  try {
    await run();
    console.log(`ok      ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${name}\n${error.stack}`);
  }
}
await ask(protocol.ShutdownRequest.type);
await connection.sendNotification(protocol.ExitNotification.type);
const code = await new Promise((done) => server.on("exit", done));
assert.equal(code, 0, "the exit code after an orderly end");
console.log(`${Object.keys(features).length - failed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
