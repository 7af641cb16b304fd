/**
 * A command in a process of its own, which the service starts: `command-process.js backup rehearse …`. Its settings are
 * those of the service. It ends in order when the service goes away.
 */
import { runCli } from './cli.js';

const notHere = (): Promise<never> => Promise.reject(new Error('This command is started by `muniment`.'));

process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
const exitCode = await runCli(process.argv.slice(2), {
  launcher: { up: notHere, withDatabase: notHere, chromiumOnThisMachine: () => null },
  terminal: {
    print: (line) => void process.stdout.write(`${line}\n`),
    complain: (line) => void process.stderr.write(`${line}\n`),
  },
  variables: process.env,
  exitCode: 0,
});
process.exit(exitCode);
