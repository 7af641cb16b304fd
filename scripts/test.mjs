/**
 * `npm test`: installs and obtains what the tests need, then type check, lint and dependency rules, then jest. The
 * last line is `N passed, N failed` with jest's own totals. Arguments are handed to jest, e.g. a path; `sweep` runs the
 * sweeps alone, in their full size, `engines` what runs against a real Docker engine.
 */
import './check-node.mjs';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { readOr, ROOT, say } from './provision/lib.mjs';
import { findChromium } from './provision/chromium.mjs';
import { findKubeApiserver } from './provision/kube-apiserver.mjs';
import { findMongod } from './provision/mongod.mjs';
import { findOpenapiGenerators } from './provision/openapi-generators.mjs';
import { findPythonTools } from './provision/python.mjs';
import { findPromtool } from './provision/promtool.mjs';
import { findRedis } from './provision/redis.mjs';
import { findVersitygw } from './provision/versitygw.mjs';
import { ENGINE_TESTS, withEngine } from './test-engines.mjs';
import { slowest, summary } from './test-summary.mjs';
import { ensureBuilt, ensureInstalled } from './up/prepare.mjs';

/** One more than the processors of a small machine: tests wait for browsers, databases and clocks a third of their time. */
const WORKERS = '3';
/** More failed files than this are no accident. */
const MAX_RUN_AGAIN = 5;
/** Waits before what the network may have spoiled is tried again. */
const WAITS_MS = [10_000, 30_000];

const modules = path.join(ROOT, 'node_modules');
const given = process.argv.slice(2);
/** The sweeps share a machine with nothing: their bounds are those of a service that is asked in earnest. */
const isSweep = given.includes('sweep');
/** One engine, whose faults are those of all its containers: one file at a time. */
const isEngines = given[0] === 'engines';
const args = jestArguments();

try {
  await obtained(() => ensureInstalled());
  // Downloads wait for others, checks for the processor: they go on at the same time.
  const tools = toolEnvironment();
  tools.catch(() => undefined); // awaited below
  if (args.length === 0) await check();
  await ensureBuilt(); // the e2e tests start the product as it is built
  const found = await tools;
  process.exitCode = isEngines ? await runEngines(found) : await runJest(found);
} catch (error) {
  say(error.message);
  process.stdout.write('0 passed, 1 failed\n');
  process.exit(1); // tools that are still being obtained are not waited for, and say nothing after the last line
}

function jestArguments() {
  if (isSweep) return ['-i', ...given.map((arg) => (arg === 'sweep' ? 'test/sweep/' : arg))];
  if (!isEngines) return given;
  return ['-i', ...(given.length > 1 ? given.slice(1) : ENGINE_TESTS)];
}

/** Where no engine can be had nothing has failed, as the line before has said. */
async function runEngines(tools) {
  const code = await withEngine((engine) => runJest({ ...tools, ...engine }));
  if (code === null) process.stdout.write('0 passed, 0 failed\n');
  return code ?? 0;
}

/** Two checks at a time: the linter takes as long as all others together. */
async function check() {
  const sources = ['src', 'crawler', 'formats', 'web/src'];
  const lint = ['lint', ['eslint/bin/eslint.js', '--max-warnings', '0', ...sources, 'test']];
  const formatted = ['src', 'crawler', 'formats', 'test', 'bin', 'scripts', 'web'];
  const others = [
    ['types', ['typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.json']],
    ['types of the console', ['typescript/bin/tsc', '--noEmit', '-p', 'web/tsconfig.json']],
    ['formatting', ['prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', ...formatted]],
    [
      'dependency rules',
      ['dependency-cruiser/bin/dependency-cruise.mjs', '--config', '.dependency-cruiser.cjs', ...sources],
    ],
  ];
  await Promise.all([checked([lint]), checked(others)]);
}

async function checked(steps) {
  for (const [name, [script, ...rest]] of steps) {
    say(`Checking ${name} …`);
    const code = await node([path.join(modules, script), ...rest]);
    if (code !== 0) throw new Error(`The check of ${name} failed (exit code ${code}).`);
  }
}

/** What has to be had from the network; without it there is no run, so a moment's failure of it is waited out. */
async function obtained(obtain) {
  for (const wait of WAITS_MS) {
    try {
      return await obtain();
    } catch (error) {
      say(`${error.message}\nTried again in ${wait / 1000} s …`);
      await delay(wait);
    }
  }
  return obtain();
}

/** What the tests find their tools by; a tool that cannot be had leaves its variable unset. */
async function toolEnvironment() {
  const python = await findPythonTools();
  const kube = await findKubeApiserver();
  const generators = await findOpenapiGenerators();
  const tools = {
    MONGOD_BINARY: process.env.MONGO_DB_URL ? null : await obtained(() => findMongod()),
    CHROMIUM_PATH: await obtained(() => findChromium()),
    MUNIMENT_TEST_PYTHON: python?.python ?? null,
    MUNIMENT_TEST_WACZ: python ? path.join(python.bin, 'wacz') : null,
    MUNIMENT_TEST_CLIENT_PYTHON: generators?.python ?? null,
    MUNIMENT_TEST_REDIS: await findRedis(),
    MUNIMENT_TEST_PROMTOOL: await findPromtool(),
    MUNIMENT_TEST_KUBE_APISERVER: kube?.kubeApiserver ?? null,
    MUNIMENT_TEST_ETCD: kube?.etcd ?? null,
    MUNIMENT_TEST_VERSITYGW: await findVersitygw(),
    SWEEP: isSweep ? 'full' : null,
  };
  return Object.fromEntries(Object.entries(tools).filter(([, value]) => value !== null));
}

/**
 * A few files at a time. Of a whole run, files that failed are run once more, alone, when they are few: browsers, clusters
 * and killed processes depend on what else the machine did in that second. What only then passed is flaky.
 */
async function runJest(tools) {
  const first = await jest(tools, args);
  const failed = first.testResults.filter(({ status }) => status === 'failed');
  if (args.length > 0 || failed.length === 0 || failed.length > MAX_RUN_AGAIN) return summarize(first);
  for (const { name } of failed) say(`failed, is run again: ${path.relative(ROOT, name)}`);
  return summarize(first, await jest(tools, ['-i', '--runTestsByPath', ...failed.map(({ name }) => name)]));
}

/** @returns jest's report */
async function jest(tools, args) {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'muniment-test-'));
  const report = path.join(dir, 'report.json');
  try {
    const options = ['--experimental-vm-modules', '--no-warnings=ExperimentalWarning'];
    const jest = [path.join(modules, 'jest', 'bin', 'jest.js'), '--json', `--outputFile=${report}`, '--forceExit'];
    const workers = args.some((arg) => /^(-w|-i|--maxWorkers|--runInBand)/.test(arg)) ? [] : ['-w', WORKERS];
    // A failed test may leave a server open, which must not keep the run from its end.
    // `--json` prints the report as well; the readable output goes to standard error.
    const env = { ...tools, MUNIMENT_TEST_SHARED: dir };
    const code = await node([...options, ...jest, ...workers, ...args], env, ['inherit', 'ignore', 'inherit']);
    const text = readOr(report, '');
    if (text === '') throw new Error(`jest ended with ${code} and left no report.`);
    return JSON.parse(text);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Says what failed, what was flaky and, in the last line, the totals. @returns the exit code */
function summarize(first, again) {
  const { lines, totals, code } = summary(first, again, ROOT);
  for (const line of args.length > 0 ? lines : [...slowest(first, ROOT), ...lines]) say(line);
  process.stdout.write(`${totals}\n`);
  return code;
}

function node(argv, env = {}, stdio = 'inherit') {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, argv, { cwd: ROOT, env: { ...process.env, ...env }, stdio });
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? (signal ? 1 : 0)));
  });
}
