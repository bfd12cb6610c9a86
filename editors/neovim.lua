-- Rule sheets of games in Neovim, 0.7 or newer. Copy this file to ~/.config/nvim/plugin/flux.lua, or run it with :luafile.
--
-- The program is `flux`, or what g:flux_path says. Newer versions show more: colours of the server from 0.9 on, inlay
-- hints from 0.10 on, folds from 0.11 on.

local flux = vim.g.flux_path or "flux"
local group = vim.api.nvim_create_augroup("flux", {})

--- The file of a lens, as it is on the disk.
local function file_of(command)
  vim.cmd("silent! update")
  return vim.uri_to_fname(command.arguments[1])
end

--- Runs flux in a terminal below.
local function in_terminal(subcommand)
  return function(command)
    local file = file_of(command)
    vim.cmd("botright 15new")
    vim.fn.termopen({ flux, subcommand, file })
    vim.cmd("startinsert")
  end
end

--- The game in the browser; the page ends with the editor.
local function explore(command)
  vim.fn.jobstart({ flux, "explore", file_of(command) }, {
    on_stdout = function(_, lines)
      for _, line in ipairs(lines) do
        local link = line:match("http://%S+")
        if link and vim.ui.open then
          vim.ui.open(link)
        elseif link then
          print(link)
        end
      end
    end,
  })
end

--- Why something holds or not, in a window of its own.
local function why(command, context)
  local client = vim.lsp.get_client_by_id(context.client_id)
  local ask = { command = command.command, arguments = command.arguments }
  local function show(fault, told)
    if fault then
      vim.notify(fault.message, vim.log.levels.WARN)
    elseif told then
      local lines = vim.split(vim.trim(told.markdown), "\n")
      vim.lsp.util.open_floating_preview(lines, "markdown", { border = "rounded", focus_id = "flux" })
    end
  end
  if vim.fn.has("nvim-0.11") == 1 then
    client:request("workspace/executeCommand", ask, show)
  else
    client.request("workspace/executeCommand", ask, show)
  end
end

local commands = {
  ["flux.explore"] = explore,
  ["flux.play"] = in_terminal("repl"),
  ["flux.solve"] = in_terminal("solve"),
  ["flux.why"] = why,
}
for name, run in pairs(commands) do
  vim.lsp.commands[name] = run
end

local function attached(_, buffer)
  vim.bo[buffer].omnifunc = "v:lua.vim.lsp.omnifunc"
  vim.bo[buffer].commentstring = "; %s"
  vim.api.nvim_create_autocmd({ "BufEnter", "CursorHold", "InsertLeave" }, {
    group = group,
    buffer = buffer,
    callback = function()
      if vim.fn.has("nvim-0.11") == 1 then
        vim.lsp.codelens.refresh({ bufnr = buffer })
      else
        vim.lsp.codelens.refresh()
      end
    end,
  })
  if vim.lsp.inlay_hint then
    vim.lsp.inlay_hint.enable(true, { bufnr = buffer })
  end
  if vim.lsp.foldexpr then
    vim.wo.foldexpr = "v:lua.vim.lsp.foldexpr()"
    vim.wo.foldmethod = "expr"
    vim.wo.foldlevel = 99
  end
end

local config = {
  name = "flux",
  cmd = { flux, "lsp" },
  root_dir = vim.fn.getcwd(),
  init_options = { commands = vim.tbl_keys(commands) },
  on_attach = attached,
}

local started
local function start()
  if vim.lsp.start then
    vim.lsp.start(config)
  else
    started = started or vim.lsp.start_client(config)
    vim.lsp.buf_attach_client(0, started)
  end
end

vim.api.nvim_create_autocmd({ "BufRead", "BufNewFile" }, {
  group = group,
  pattern = { "*.kif", "*.gdl" },
  callback = function()
    vim.bo.filetype = "gdl"
  end,
})
vim.api.nvim_create_autocmd("FileType", { group = group, pattern = "gdl", callback = start })
