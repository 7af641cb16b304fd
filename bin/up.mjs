#!/usr/bin/env node
import '../scripts/check-node.mjs';

// Loaded after the check: an old Node may not even be able to read what follows.
const { UsageError } = await import('../scripts/up/args.mjs');
const { main } = await import('../scripts/up/main.mjs');

try {
  process.exit(await main(process.argv.slice(2)));
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  if (process.env.DEBUG) process.stderr.write(`${error.stack}\n`);
  if (error instanceof UsageError) process.stderr.write('npm run up -- --help shows what can be given.\n');
  process.exit(error instanceof UsageError ? 2 : 1);
}
