// The grammars of the extension, read by the engine that VS Code colours with.
//
//     npm install && node grammar.mjs

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import oniguruma from "vscode-oniguruma";
import textmate from "vscode-textmate";

const extension = new URL("../../editors/vscode/", import.meta.url);
const manifest = JSON.parse(await readFile(new URL("package.json", extension)));
const grammars = new Map(manifest.contributes.grammars.map((one) => [one.scopeName, one.path]));

const engine = createRequire(import.meta.url).resolve("vscode-oniguruma/release/onig.wasm");
await oniguruma.loadWASM(await readFile(engine));
const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async (scope) => {
    const path = new URL(grammars.get(scope), extension);
    return textmate.parseRawGrammar(await readFile(path, "utf8"), path.pathname);
  },
});

const CASES = {
  "source.gdl": [
    ["(<= (next (cell ?m ?n X)) (not (does white noop))) ; a comment", [
      ["<=", "keyword.operator.logical.gdl"],
      ["next", "keyword.control.gdl"],
      ["cell", "entity.name.function.gdl"],
      ["?m", "variable.parameter.gdl"],
      ["X", "constant.other.gdl"],
      ["not", "keyword.operator.logical.gdl"],
      ["white", "constant.other.gdl"],
      ["; a comment", "comment.line.semicolon.gdl"],
    ]],
    ["(GOAL white 100) (nextto a b) (succ 1 2x)", [
      ["GOAL", "keyword.control.gdl"],
      ["100", "constant.numeric.gdl"],
      ["nextto", "entity.name.function.gdl"],
      ["2x", "constant.other.gdl"],
    ]],
  ],
  "source.gdl.infix": [
    ["next(cell(M, 'a b', x)) :- does(white, noop), \\+ p(M), _X \\= 12. % a comment", [
      ["next", "keyword.control.gdl"],
      ["cell", "entity.name.function.gdl"],
      ["M", "variable.parameter.gdl"],
      ["'a b'", "string.quoted.single.gdl"],
      [":-", "keyword.operator.logical.gdl"],
      ["white", "constant.other.gdl"],
      ["\\+", "keyword.operator.logical.gdl"],
      ["_X", "variable.parameter.gdl"],
      ["12", "constant.numeric.gdl"],
      ["% a comment", "comment.line.percentage.gdl"],
    ]],
  ],
};

let passed = 0;
for (const [scope, lines] of Object.entries(CASES)) {
  const grammar = await registry.loadGrammar(scope);
  for (const [line, wanted] of lines) {
    const { tokens } = grammar.tokenizeLine(line, textmate.INITIAL);
    const found = tokens.map((token) => [line.slice(token.startIndex, token.endIndex), token.scopes.at(-1)]);
    for (const one of wanted) {
      assert.ok(found.some((other) => other[0] === one[0] && other[1] === one[1]), `${one}: ${JSON.stringify(found)}`);
      passed += 1;
    }
  }
}
console.log(`${passed} passed, 0 failed`);
