import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { loadConfig } from '../config/load-config.js';
import { describeApp } from '../describe-app.js';
import type { CliContext } from './cli-context.js';

/** `openapi`: writes the document that a service with these settings would serve, without starting one. */
export function registerOpenapi(program: Command, context: CliContext): void {
  program
    .command('openapi')
    .description('Prints the OpenAPI document of the API. Needs neither a database nor a running service.')
    .option('--out <file>', 'write it into a file')
    .action(async ({ out }: { out?: string }) => {
      const text = JSON.stringify(await describeApp(loadConfig(context.variables)), null, 2);
      if (out === undefined) context.terminal.print(text);
      else await writeFile(out, `${text}\n`);
    });
}
