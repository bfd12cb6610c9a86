"""The language server in Neovim: a sheet is opened, keys are typed, and each feature must be seen in the editor.

    python3 neovim.py FLUX [NVIM]

needs Neovim 0.7 or newer and pynvim. What a version does not have is said and left out.
"""

import os
import pathlib
import sys
import tempfile
import time
import traceback

import pynvim

HERE = pathlib.Path(__file__).resolve().parent
CONFIGURATION = HERE.parent.parent / "editors" / "neovim.lua"
SHEET = """(role white)
(init (cell 1 b))
(init (cell 2 b))
(<= (legal white (mark ?n)) (true (cell ?n b)))
(<= (next (cell ?n x)) (does white (mark ?n)))
(<= (next (cell ?n ?v)) (true (cell ?n ?v)) (does white (mark ?m)) (distinct ?n ?m))
(<= terminal (not open))
(<= open (true (cell ?n b)))
(goal white 50)
"""


class Editor:
    """A Neovim without a screen."""

    def __init__(self, flux, nvim):
        arguments = [nvim, "--embed", "--headless", "-u", "NONE", "-i", "NONE", "-n"]
        self.nvim = pynvim.attach("child", argv=arguments)
        self.nvim.vars["flux_path"] = flux
        self.nvim.command("set shortmess+=I hidden")
        self.nvim.command(f"luafile {CONFIGURATION}")
        # Whoever is asked to choose takes the first that has the wanted words.
        self.nvim.exec_lua("""
            wanted = ""
            vim.ui.select = function(items, options, done)
              for at, item in ipairs(items) do
                local text = options.format_item and options.format_item(item) or tostring(item)
                if text:find(wanted, 1, true) then return done(item, at) end
              end
              done(nil)
            end""")

    def lua(self, code, *arguments):
        return self.nvim.exec_lua(code, *arguments)

    def has(self, path):
        return self.lua(f"return ({path}) ~= nil")

    def text(self):
        return "\n".join(self.nvim.current.buffer[:])

    def type(self, keys):
        self.nvim.input(keys)

    def until(self, condition, what):
        end = time.monotonic() + 15
        while True:
            found = condition()
            if found:
                return found
            assert time.monotonic() < end, f"there is no sign of {what}; the text is\n{self.text()}"
            time.sleep(0.02)

    def go(self, piece):
        """Puts the cursor at the bar in the first such piece of the sheet."""
        before = piece.index("|")
        at = self.text().index(piece.replace("|", "")) + before
        lines = self.text()[:at].split("\n")
        self.nvim.current.window.cursor = (len(lines), len(lines[-1]))

    def floating(self):
        """The texts of windows above the sheet."""
        return self.lua("""
            local texts = {}
            for _, window in ipairs(vim.api.nvim_list_wins()) do
              if vim.api.nvim_win_get_config(window).relative ~= "" then
                local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)
                table.insert(texts, table.concat(lines, "\\n"))
              end
            end
            return texts""")

    def close_others(self):
        self.lua("""
            for _, window in ipairs(vim.api.nvim_list_wins()) do
              if vim.api.nvim_win_get_config(window).relative ~= "" then
                vim.api.nvim_win_close(window, true)
              end
            end
            vim.cmd("cclose | lclose | only")""")

    def listed(self):
        """The entries of the quickfix list, or of the list of the window."""
        return [
            entry["text"]
            for entries in (self.nvim.funcs.getqflist(), self.nvim.funcs.getloclist(0))
            for entry in entries
        ]

    def forget_lists(self):
        self.nvim.funcs.setqflist([])
        self.nvim.funcs.setloclist(0, [])


def diagnostics(editor):
    editor.type("Go(<lt>= lost (true (clel 1 b)))<Esc>")
    editor.until(
        lambda: [one for one in editor.lua("return vim.diagnostic.get(0)") if "clel" in one["message"]],
        "the diagnostic",
    )


def fixes(editor):
    editor.go("(true (cl|el")
    editor.lua("wanted = 'cell'; vim.lsp.buf.code_action()")
    editor.until(lambda: "(true (cell 1 b)))" in editor.text(), "the fix")
    editor.until(
        lambda: not [one for one in editor.lua("return vim.diagnostic.get(0)") if "clel" in one["message"]],
        "the end of the diagnostic",
    )


def completion(editor):
    editor.type("Go(<lt>= won (true (cell 1 <C-x><C-o>")
    words = editor.until(
        lambda: [item["word"] for item in editor.nvim.funcs.complete_info(["items"])["items"]],
        "proposals",
    )
    assert "b" in words and "x" in words, words
    editor.type("<C-e>x)))<Esc>")
    editor.until(lambda: "(<= won (true (cell 1 x)))" in editor.text(), "the typed rule")


def hover(editor):
    editor.go("(init (ce|ll 1 b")

    def said():
        if not editor.floating():
            editor.lua("vim.lsp.buf.hover()")
            time.sleep(0.2)
        texts = "\n".join(editor.floating())
        editor_has_all = "fluent" in texts and "cell/2" in texts and "at the start: true" in texts
        if not editor_has_all:
            editor.close_others()
        return editor_has_all

    editor.until(said, "what the name is")
    editor.close_others()


def definition(editor):
    editor.go("(not op|en)")
    editor.lua("vim.lsp.buf.definition()")
    editor.until(lambda: editor.nvim.current.window.cursor[0] == 8, "the definition")


def references(editor):
    editor.forget_lists()
    editor.go("(not op|en)")
    editor.lua("vim.lsp.buf.references()")
    editor.until(lambda: len(editor.listed()) == 2, "two references")
    editor.close_others()


def highlights(editor):
    editor.go("(not op|en)")
    editor.lua("vim.lsp.buf.document_highlight()")
    marks = """
        local found = {}
        for name, space in pairs(vim.api.nvim_get_namespaces()) do
          if name:find("references") then
            vim.list_extend(found, vim.api.nvim_buf_get_extmarks(0, space, 0, -1, {}))
          end
        end
        return found"""
    editor.until(lambda: len(editor.lua(marks)) == 2, "two highlighted names")
    editor.lua("vim.lsp.buf.clear_references()")


def rename(editor):
    editor.go("(not op|en)")
    editor.lua("vim.lsp.buf.rename('free')")
    editor.until(lambda: "(not free)" in editor.text() and "(<= free " in editor.text(), "the other name")


def symbols(editor):
    editor.forget_lists()
    editor.lua("vim.lsp.buf.document_symbol()")
    editor.until(lambda: any("init cell/2" in text for text in editor.listed()), "the outline")
    editor.close_others()
    editor.forget_lists()
    editor.lua("vim.lsp.buf.workspace_symbol('nxcl')")
    editor.until(lambda: any("next cell/2" in text for text in editor.listed()), "the symbols that fit")
    editor.close_others()


def calls(editor):
    for request, wanted in (("incoming_calls", "terminal"), ("outgoing_calls", "cell/2")):
        editor.forget_lists()
        editor.go("(not fr|ee)")
        editor.lua(f"vim.lsp.buf.{request}()")
        editor.until(lambda: any(wanted in text for text in editor.listed()), request)
        editor.close_others()


def lenses(editor):
    def shown():
        editor.lua("vim.api.nvim_exec_autocmds('InsertLeave', {buffer = 0})")
        time.sleep(0.2)
        found = editor.lua("return vim.lsp.codelens.get(0)")
        titles = [lens["command"]["title"] for lens in found if "command" in lens]
        return any("legal at the start" in title for title in titles) and titles

    titles = editor.until(shown, "lenses")
    assert "4 fluents" in titles and "solve" in titles and "play" in titles, titles
    editor.go("(legal white (ma|rk")
    editor.lua("wanted = 'why'; vim.lsp.codelens.run()")
    editor.until(
        lambda: any("(legal white (mark 1))" in text for text in editor.floating()), "the explanation"
    )
    editor.close_others()


def formatting(editor):
    editor.type("Go(  goal   white 40 )<Esc>")
    editor.until(lambda: "white 40" in editor.text(), "the typed fact")
    if editor.has("vim.lsp.buf.format"):
        editor.lua("vim.lsp.buf.format()")
    else:
        editor.lua("vim.lsp.buf.formatting_sync()")
    editor.until(lambda: "\n(goal white 40)" in editor.text(), "the layout")


def hints(editor):
    editor.until(
        lambda: [
            hint
            for hint in editor.lua("return vim.lsp.inlay_hint.get({bufnr = 0})")
            if "1, 2" in str(hint["inlay_hint"]["label"])
        ],
        "what a variable can be",
    )


def tokens(editor):
    place = "local found = vim.lsp.semantic_tokens.get_at_pos(0, 0, 7); return found and found[1] and found[1].type"
    assert editor.until(lambda: editor.lua(place), "a colour") == "class"


def folds(editor):
    editor.until(lambda: editor.lua("vim.cmd('normal! zx'); return vim.fn.foldlevel(3)") > 0, "a fold")


def infix(editor):
    editor.nvim.command("edit! infix.gdl")
    editor.type("irole(white).<CR>init(cell(1, b)).<CR>legal(white, mark(N)) :- true(clel(N, b)).<Esc>")
    editor.until(
        lambda: [one for one in editor.lua("return vim.diagnostic.get(0)") if "clel" in one["message"]],
        "the diagnostic",
    )


FEATURES = [
    ("diagnostics while typing", diagnostics, None),
    ("quick fixes", fixes, None),
    ("completion", completion, None),
    ("hover", hover, None),
    ("definition", definition, None),
    ("references", references, None),
    ("highlight", highlights, None),
    ("rename", rename, None),
    ("document and workspace symbols", symbols, None),
    ("call hierarchy", calls, None),
    ("code lenses, and why", lenses, None),
    ("formatting", formatting, None),
    ("inlay hints", hints, "vim.lsp.inlay_hint"),
    ("semantic tokens", tokens, "vim.lsp.semantic_tokens"),
    ("folding", folds, "vim.lsp.foldexpr"),
    ("infix notation", infix, None),
]


def main():
    flux = os.path.abspath(sys.argv[1])
    nvim = sys.argv[2] if len(sys.argv) > 2 else "nvim"
    editor = Editor(flux, nvim)
    version = editor.lua("local v = vim.version(); return v.major .. '.' .. v.minor .. '.' .. v.patch")
    print(f"Neovim {version}")
    passed = failed = skipped = 0
    with tempfile.TemporaryDirectory() as folder:
        editor.nvim.command(f"cd {folder}")
        pathlib.Path(folder, "sheet.kif").write_text(SHEET, encoding="utf-8")
        editor.nvim.command("edit sheet.kif")
        for name, run, needs in FEATURES:
            if needs and not editor.has(needs):
                skipped += 1
                print(f"absent  {name}: this version has no {needs}")
                continue
            try:
                run(editor)
                passed += 1
                print(f"ok      {name}")
            except Exception:
                failed += 1
                print(f"FAILED  {name}")
                traceback.print_exc(file=sys.stdout)
        editor.nvim.command("qall!", async_=True)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    sys.exit(1 if failed else 0)


main()
