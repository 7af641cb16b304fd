import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { canInstallPackages, installPackages } from './apt.mjs';
import { cacheDir, failureLine, isExecutable, run, say, which, withLock } from './lib.mjs';

/** Pinned, so that a test run means the same tomorrow; the staging modules have the same numbers below major 0. */
const VERSION = 'v1.34.4';
const STAGING = 'v0.34.4';
/** What that version asks of the compiler. */
const GO = [1, 24];
const PROGRAM = 'k8s.io/kubernetes/cmd/kube-apiserver';
const BUILD_MS = 3_600_000;

/**
 * The paths of etcd and of a Kubernetes API server, which the kubernetes driver is tested against. etcd is the Debian
 * or Ubuntu package; the API server comes from the cache, or is built from the Go modules into it when
 * MUNIMENT_BUILD_KUBE=1 (about ten minutes of two cores). Null, with a loud line, where one cannot be had.
 * @param {(line: string) => void} log receives progress lines
 */
export async function findKubeApiserver(log = say) {
  try {
    const kubeApiserver = await apiserver(log);
    return { kubeApiserver, etcd: await findEtcd(log) };
  } catch (error) {
    log(`skipped: tests of the kubernetes driver: ${error.message}`);
    return null;
  }
}

async function apiserver(log) {
  const dir = cacheDir('kube-apiserver');
  const cached = path.join(dir, 'kube-apiserver');
  const present = () => which('kube-apiserver') ?? (isExecutable(cached) ? cached : null);
  if (present()) return present();
  if (process.env.MUNIMENT_BUILD_KUBE !== '1')
    throw new Error(
      'no kube-apiserver on PATH nor in the cache; MUNIMENT_BUILD_KUBE=1 builds one, in about 10 minutes',
    );
  return withLock(dir, async () => present() ?? (await build(cached, log)), BUILD_MS);
}

async function build(target, log) {
  const go = which('go');
  if (!go) throw new Error('no kube-apiserver, and no go on PATH to build it');
  const [major, minor] = (await output(go, ['env', 'GOVERSION'])).replace(/^go/, '').split('.').map(Number);
  if (major < GO[0] || (major === GO[0] && minor < GO[1]))
    throw new Error(`kube-apiserver ${VERSION} needs go ${GO.join('.')}, this is ${major}.${minor}`);
  const work = mkdtempSync(path.join(os.tmpdir(), 'kube-apiserver-'));
  try {
    log(`kube-apiserver: building ${VERSION} by go, which takes about 10 minutes …`);
    writeFileSync(path.join(work, 'go.mod'), `module wrapper\n\ngo ${GO.join('.')}.0\n`);
    const told = await output(go, ['mod', 'download', '-json', `k8s.io/kubernetes@${VERSION}`], work);
    // Progress lines stand before the answer.
    const { GoMod } = JSON.parse(told.slice(told.indexOf('{')));
    writeFileSync(path.join(work, 'go.mod'), wrapperModule(readFileSync(GoMod, 'utf8')));
    writeFileSync(path.join(work, 'tools.go'), `//go:build tools\n\npackage wrapper\n\nimport _ "${PROGRAM}"\n`);
    await output(go, ['mod', 'tidy'], work);
    // Beside its place, then into it: a build that was ended half-way leaves nothing that looks whole.
    await output(go, ['build', '-o', `${target}.new`, PROGRAM], work);
    renameSync(`${target}.new`, target);
    return target;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** A module that requires Kubernetes, with each of its own staging modules by number instead of by folder. */
function wrapperModule(goMod) {
  const version = /^go (\S+)/m.exec(goMod)?.[1] ?? `${GO.join('.')}.0`;
  const staged = [...goMod.matchAll(/^\s*(?:replace\s+)?(k8s\.io\/\S+) => \.\/staging\//gm)].map(([, name]) => name);
  const plain = [...goMod.matchAll(/(k8s\.io\/\S+) v0\.0\.0/g)].map(([, name]) => name);
  const replaced = [...new Set(staged.length > 0 ? staged : plain)].sort();
  return [
    `module wrapper\n\ngo ${version}\n`,
    `require k8s.io/kubernetes ${VERSION}\n`,
    `replace (\n${replaced.map((name) => `\t${name} => ${name} ${STAGING}`).join('\n')}\n)\n`,
  ].join('\n');
}

async function findEtcd(log) {
  if (which('etcd')) return which('etcd');
  if (!canInstallPackages()) throw new Error('no etcd on PATH');
  log('etcd: package etcd-server by apt-get …');
  await installPackages('etcd-server');
  if (!which('etcd')) throw new Error('the package etcd-server brought no etcd');
  return which('etcd');
}

/** @throws {Error} with what the program said */
async function output(command, args, cwd) {
  const { code, output: text } = await run(command, args, { cwd, timeoutMs: BUILD_MS });
  if (code !== 0) throw new Error(`${path.basename(command)} ${args[0]}: ${failureLine(text)}`);
  return text.trim();
}
