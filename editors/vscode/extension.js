// The language server of flux in VS Code, and commands that run flux on the sheet in the editor.

"use strict";

const { execFile, spawn } = require("node:child_process");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const LANGUAGES = ["gdl", "gdl-infix"];

/** What is drawn or written, in bytes. */
const MOST_OUTPUT = 64 << 20;

/** The commands that are carried out here; the server offers lenses for those that it is told of. */
const COMMANDS = {
  "flux.explore": explore,
  "flux.play": play,
  "flux.draw": draw,
  "flux.solve": solve,
};

let client;
/** Pages that are served, by the files that they show. */
const pages = new Map();
let output;
const explanations = new Map();

function program() {
  return vscode.workspace.getConfiguration("flux").get("path") || "flux";
}

async function activate(context) {
  output = vscode.window.createOutputChannel("flux");
  context.subscriptions.push(output);
  for (const [name, run] of Object.entries(COMMANDS)) {
    context.subscriptions.push(vscode.commands.registerCommand(name, (uri) => withSheet(uri, run)));
  }
  context.subscriptions.push(
    vscode.workspace.registerTextDocumentContentProvider("flux", {
      provideTextDocumentContent: (uri) => explanations.get(uri.path) || "",
    }),
  );
  const tellInfix = (document) => {
    if (document.languageId === "gdl" && isInfix(document.getText())) {
      vscode.languages.setTextDocumentLanguage(document, "gdl-infix");
    }
  };
  vscode.workspace.textDocuments.forEach(tellInfix);
  context.subscriptions.push(vscode.workspace.onDidOpenTextDocument(tellInfix));

  const command = { command: program(), args: ["lsp"] };
  client = new LanguageClient("flux", "flux", { run: command, debug: command }, {
    documentSelector: LANGUAGES.map((language) => ({ language })),
    initializationOptions: { commands: [...Object.keys(COMMANDS), "flux.why"] },
    middleware: {
      // The server explains; what it says is shown beside the sheet.
      executeCommand: async (name, args, next) => {
        const result = await next(name, args);
        if (name === "flux.why" && result) {
          await show(result);
        }
        return result;
      },
    },
  });
  await client.start();
}

async function deactivate() {
  for (const page of pages.values()) {
    page.process.kill();
  }
  await client?.stop();
}

/** Whether the first sentence of a sheet does not begin with a parenthesis. */
function isInfix(text) {
  const first = text.replace(/^(\s|;.*|%.*)+/u, "");
  return first !== "" && !first.startsWith("(");
}

/** Runs a command on the file of a lens or of the editor, as it is on the disk. */
async function withSheet(of, run) {
  const uri = typeof of === "string" ? vscode.Uri.parse(of) : of || vscode.window.activeTextEditor?.document.uri;
  if (!uri || uri.scheme !== "file") {
    vscode.window.showErrorMessage("flux: open a file with a rule sheet first");
    return;
  }
  const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
  if (document?.isDirty && !(await document.save())) {
    return;
  }
  try {
    await run(uri.fsPath);
  } catch (error) {
    vscode.window.showErrorMessage(`flux: ${error.message}`);
  }
}

/** The page in the browser. One server a file; a link to it is printed first. */
async function explore(file) {
  if (!pages.has(file)) {
    const process = spawn(program(), ["explore", file]);
    process.on("exit", () => pages.delete(file));
    const link = new Promise((found, failed) => {
      let said = "";
      let faults = "";
      process.stdout.on("data", (text) => {
        said += text;
        const match = /http:\/\/\S+(?=\s)/.exec(said);
        if (match) {
          found(match[0]);
        }
      });
      process.stderr.on("data", (text) => (faults += text));
      process.on("error", failed);
      process.on("exit", () => failed(new Error(faults.trim() || "flux explore ended")));
    });
    pages.set(file, { process, link });
  }
  // As a text: a Uri would quote the = in the key behind the #, which the page does not expect.
  await vscode.env.openExternal(await pages.get(file).link);
}

async function play(file) {
  const terminal = vscode.window.createTerminal({ name: "flux", shellPath: program(), shellArgs: ["repl", file] });
  terminal.show();
}

async function solve(file) {
  output.show(true);
  output.appendLine(`> flux solve ${file}`);
  const process = spawn(program(), ["solve", file]);
  process.stdout.on("data", (text) => output.append(String(text)));
  process.stderr.on("data", (text) => output.append(String(text)));
  await new Promise((done, failed) => {
    process.on("error", failed);
    process.on("close", done);
  });
}

/** The dependency graph, as flux draws it. */
async function draw(file) {
  const svg = await run(["analyze", file, "--format", "svg"]);
  const panel = vscode.window.createWebviewPanel("flux.draw", "flux: what the game is made of", vscode.ViewColumn.Beside, {});
  const image = `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
  panel.webview.html =
    "<!doctype html><html><head><meta http-equiv='Content-Security-Policy' content=\"default-src 'none'; img-src data:\">" +
    `</head><body style='background: white'><img alt='dependency graph' src='${image}'></body></html>`;
}

function run(args) {
  return new Promise((done, failed) => {
    execFile(program(), args, { maxBuffer: MOST_OUTPUT }, (error, out, faults) =>
      error ? failed(new Error(faults.trim() || error.message)) : done(out),
    );
  });
}

/** Shows an explanation as Markdown. */
async function show({ goal, markdown }) {
  const path = `/${goal.replace(/[^\p{L}\p{N}]+/gu, " ").trim()}.md`;
  explanations.set(path, markdown);
  await vscode.commands.executeCommand("markdown.showPreviewToSide", vscode.Uri.from({ scheme: "flux", path }));
}

module.exports = { activate, deactivate, isInfix };
