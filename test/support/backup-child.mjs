/**
 * Runs one command of the built program and ends it by SIGKILL, as a power cut would, at a call of one of its methods:
 * `node backup-child.mjs <module under dist/src> <class> <method> <which call> -- <arguments of muniment>`.
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const dist = path.join(import.meta.dirname, '..', '..', 'dist', 'src');
const load = (file) => import(pathToFileURL(path.join(dist, file)).href);

const [file, className, method, which] = process.argv.slice(2, 6);
const { prototype } = (await load(file))[className];
const real = prototype[method];
let calls = 0;
prototype[method] = function (...args) {
  calls += 1;
  if (calls === Number(which)) process.kill(process.pid, 'SIGKILL');
  return real.apply(this, args);
};

const { runCli } = await load('cli/cli.js');
const code = await runCli(process.argv.slice(7), {
  launcher: { withDatabase: (work) => work({}) },
  terminal: { print: (line) => console.log(line), complain: (line) => console.error(line) },
  variables: process.env,
  exitCode: 0,
});
process.exit(code);
