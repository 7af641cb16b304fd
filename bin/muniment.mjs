#!/usr/bin/env node
import '../scripts/check-node.mjs';

// Loaded after the check: an old Node may not even be able to read what follows.
const { main: up } = await import('../scripts/up/main.mjs');
const { ensureBuilt, ensureInstalled } = await import('../scripts/up/prepare.mjs');
const { withDatabase } = await import('../scripts/up/with-database.mjs');
const { installedChromium } = await import('../scripts/provision/chromium.mjs');
const { commandEnvironment } = await import('../scripts/up/command-environment.mjs');

try {
  await ensureInstalled();
  await ensureBuilt();
  const { runCli } = await import('../dist/src/cli/cli.js');
  const code = await runCli(process.argv.slice(2), {
    launcher: { up, withDatabase, chromiumOnThisMachine: installedChromium },
    terminal: {
      print: (line) => process.stdout.write(`${line}\n`),
      complain: (line) => process.stderr.write(`${line}\n`),
    },
    variables: commandEnvironment(),
    exitCode: 0,
  });
  process.exit(code);
} catch (error) {
  process.stderr.write(`${process.env.DEBUG ? error.stack : error.message}\n`);
  process.exit(1);
}
