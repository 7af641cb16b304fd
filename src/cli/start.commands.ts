import type { Command } from 'commander';
import type { CliContext } from './cli-context.js';

/** `up` and `crawl`: pass their arguments to the starter, the one place that reads them. */
export function registerStart(program: Command, context: CliContext): void {
  program
    .command('up')
    .summary('start the service and its database')
    .description('Starts the service and its database, and keeps both running until Ctrl-C.')
    .argument('[options...]', 'as for npm run up: --port, --host, --data-dir; `muniment up --help` lists them')
    .allowUnknownOption()
    .helpOption(false)
    .action(async (_options: string[], _flags: object, command: Command) => {
      context.exitCode = await context.launcher.up(command.args);
    });
  program
    .command('crawl')
    .summary('crawl one site and print where its archive is')
    .description('Crawls one site; starts the service if it is not running. Options as for npm run up -- --crawl.')
    .argument('<url>', 'the page to start from')
    .argument('[options...]', '--scope, --limit, --windows, --exit, --data-dir, --port')
    .allowUnknownOption()
    .action(async (url: string, _options: string[], _flags: object, command: Command) => {
      context.exitCode = await context.launcher.up(['--crawl', url, ...command.args.slice(1)]);
    });
}
