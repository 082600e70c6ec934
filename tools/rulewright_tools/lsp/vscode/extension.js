"use strict";
// Starts `rulewright lsp` and lets the editor speak with it.

const fs = require("node:fs");
const path = require("node:path");
const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

let client;

/** The command that somebody has set, one that lies in the folder, or the one of the PATH. */
function command() {
  const set = vscode.workspace.getConfiguration("rulewright").get("command");
  if (Array.isArray(set) && set.length > 0) return set;
  for (const folder of vscode.workspace.workspaceFolders ?? []) {
    for (const place of ["tools/rulewright", ".venv/bin/rulewright", ".venv/Scripts/rulewright.exe"]) {
      const there = path.join(folder.uri.fsPath, place);
      if (fs.existsSync(there)) return [there, "lsp"];
    }
  }
  return ["rulewright", "lsp"];
}

async function start() {
  const [program, ...args] = command();
  const server = { command: program, args, transport: TransportKind.stdio };
  const options = {
    documentSelector: [
      { scheme: "file", language: "rules" },
      { scheme: "untitled", language: "rules" },
      { scheme: "file", language: "yaml" },
    ],
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.{rules,yaml,yml}") },
  };
  client = new LanguageClient("rulewright", "Rulewright", { run: server, debug: server }, options);
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(
      `Rulewright: '${[program, ...args].join(" ")}' does not start (${error.message}). Install it (pip install 'rulewright[lsp]'), or set rulewright.command.`,
    );
  }
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("rulewright.restart", async () => {
      await deactivate();
      await start();
    }),
  );
  await start();
}

async function deactivate() {
  const ended = client;
  client = undefined;
  if (ended) await ended.stop().catch(() => undefined);
}

module.exports = { activate, deactivate };
