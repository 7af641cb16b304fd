/**
 * A Docker engine of our own, and the base images that the Dockerfile asks for, for tests of containers as they are.
 * Nothing of an engine that the machine runs already is touched: data, socket and process are apart from it.
 */
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync } from 'node:fs';
import path from 'node:path';
import { canInstallPackages, installPackages } from './apt.mjs';
import { makeBaseImage } from './docker-base.mjs';
import {
  cacheDir,
  commandLine,
  endProcess,
  failureLine,
  isAlive,
  readOr,
  ROOT,
  run,
  say,
  until,
  which,
} from './lib.mjs';

/** An engine starts in a second; one whose containers have to be found again, in a few. */
const START_MS = 60_000;
const STARTS = 4;
/** It ends its containers first. */
const STOP_MS = 60_000;
const BUILD_MS = 45 * 60_000;
/** A bridge of its own, which no engine of the machine has; the address is this machine's in the containers' network. */
const BRIDGE = 'muniment0';
const GATEWAY = '172.31.250.1';

/** The images that are built of the repository, and the targets of the Dockerfile. */
export const IMAGES = { api: 'muniment:latest', crawler: 'muniment-crawler:latest' };

/** Reason why no engine can be had here; the tests that need one are left out, loudly. */
export class NoEngine extends Error {}

/** One `dockerd` with its data, socket and processes in folders of its own; any process of this user may end it. */
export class DockerEngine {
  /** @param {string} binary path of dockerd */
  constructor(binary, folder = cacheDir('docker')) {
    this.binary = binary;
    this.folder = folder;
    // Paths of sockets are short (unix(7)): the cache of a user may be anywhere.
    this.runFolder = '/run/muniment-docker';
    this.host = `unix://${this.runFolder}/docker.sock`;
  }

  /** Starts an engine. Its images are those that it had. @throws NoEngine */
  static async start(log = say) {
    const engine = new DockerEngine(await dockerd(log));
    await engine.up();
    return engine;
  }

  /**
   * Starts it, if need be more than once, as the system's service does: after a kill, containerd may not come up in time
   * while a container of before still runs.
   */
  async up() {
    for (let left = STARTS; ; left -= 1) {
      try {
        return await this.#start();
      } catch (error) {
        if (left <= 1) throw error;
      }
    }
  }

  async #start() {
    await this.down();
    await bridge();
    mkdirSync(this.runFolder, { recursive: true, mode: 0o700 });
    const log = path.join(this.folder, 'dockerd.log');
    const out = openSync(log, 'a', 0o600);
    let failure = '';
    try {
      // A group of its own: an interrupt at the terminal ends the tests, which then end the engine in order.
      const child = spawn(this.binary, this.#options(), { stdio: ['ignore', out, out], detached: true });
      child.once('error', (error) => (failure = error.message));
      child.once('exit', (code) => (failure = `exit code ${code}`));
      child.unref();
    } finally {
      closeSync(out);
    }
    const inTime = await until(async () => failure !== '' || (await this.isUp()), START_MS, 200);
    if (inTime && failure === '') return;
    await this.down();
    const said = failureLine(readOr(log, '').slice(-8192));
    throw new NoEngine(`dockerd did not start: ${failure || 'no answer'}; ${said}`);
  }

  /** Ends the engine, and its containers with it; with `kill` without a word, while its containers go on. */
  async down({ kill = false } = {}) {
    const pidFile = this.#pidFile;
    const dockerd = livingPid(pidFile, pidFile);
    if (dockerd && kill) process.kill(dockerd, 'SIGKILL');
    if (dockerd) await endProcess(dockerd, STOP_MS);
    rmSync(pidFile, { force: true });
    // It ends with dockerd, but a moment later, and one that starts meanwhile takes it for its own.
    const containerd = livingPid(path.join(this.runFolder, 'exec/containerd/containerd.pid'), this.runFolder);
    if (containerd) await endProcess(containerd, STOP_MS);
  }

  async isUp() {
    return (await this.docker(['version'], { timeoutMs: 5_000 })).code === 0;
  }

  /** Ends the engine and deletes all that it kept, images as well. */
  async remove() {
    await this.down();
    // An engine that was killed leaves what it has mounted.
    const mounted = readOr('/proc/self/mounts', '')
      .split('\n')
      .flatMap((line) => line.split(' ')[1] ?? []);
    const isOurs = (folder) => [this.folder, this.runFolder].some((own) => folder.startsWith(`${own}/`));
    for (const folder of mounted.filter(isOurs).reverse()) await run('umount', [folder]);
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10 });
    rmSync(this.runFolder, { recursive: true, force: true });
    await run('ip', ['link', 'delete', BRIDGE]);
  }

  /** Runs the command line of Docker against this engine. Never throws. */
  docker(args, options = {}) {
    const env = { ...process.env, DOCKER_HOST: this.host, DOCKER_BUILDKIT: '0' };
    delete env.DOCKER_CONTEXT;
    return run('docker', args, { env, ...options });
  }

  /** What a command of Docker prints. @throws {Error} with what Docker said */
  async said(...args) {
    const { code, output } = await this.docker(args);
    if (code !== 0) throw new Error(`docker ${args[0]}: ${failureLine(output)}`);
    return output.trim();
  }

  /** Address of this machine as containers of the default network reach it. */
  get gateway() {
    return GATEWAY;
  }

  async hasImage(name) {
    return (await this.docker(['image', 'inspect', name])).code === 0;
  }

  /**
   * Builds one of IMAGES by the Dockerfile; what has not changed is taken from earlier builds.
   * @throws {Error} with the last lines of the build
   */
  async build(target, log = say) {
    for (const name of baseImages()) if (!(await this.hasImage(name))) await makeBaseImage(this, name, log);
    await this.buildImage(IMAGES[target], ['--target', target, ROOT], log);
  }

  /** Builds an image; `args` name what of. @throws {Error} with the last lines of the build */
  async buildImage(name, args, log = say) {
    log(`docker: ${name} is built …`);
    const { code, output } = await this.docker(['build', '--network', 'host', '--tag', name, ...args], {
      timeoutMs: BUILD_MS,
    });
    if (code !== 0) throw new Error(`docker build of ${name}: ${output.trim().split('\n').slice(-5).join('\n')}`);
  }

  #options() {
    return [
      ...['--data-root', path.join(this.folder, 'data'), '--exec-root', path.join(this.runFolder, 'exec')],
      ...['--pidfile', this.#pidFile, '--host', this.host, '--storage-driver', 'overlay2'],
      ...['--bridge', BRIDGE, '--log-level', 'warn', '--shutdown-timeout', '15'],
    ];
  }

  get #pidFile() {
    return path.join(this.folder, 'dockerd.pid');
  }
}

/** The images that the Dockerfile starts from and does not make itself. */
export function baseImages(dockerfile = readOr(path.join(ROOT, 'Dockerfile'), '')) {
  const lines = [...dockerfile.matchAll(/^FROM (\S+)(?: AS (\S+))?/gim)];
  const made = new Set(lines.map(([, , name]) => name));
  return [...new Set(lines.map(([, from]) => from))].filter((from) => !made.has(from));
}

async function bridge() {
  if ((await run('ip', ['link', 'show', BRIDGE])).code === 0) return;
  for (const args of [
    ['link', 'add', 'name', BRIDGE, 'type', 'bridge'],
    ['address', 'add', `${GATEWAY}/24`, 'dev', BRIDGE],
    ['link', 'set', BRIDGE, 'up'],
  ]) {
    const { code, output } = await run('ip', args);
    if (code !== 0) throw new NoEngine(`no bridge for containers: ${failureLine(output)}`);
  }
}

/** The process that a file names, if it lives and `mark` is in its command line; else undefined. */
function livingPid(file, mark) {
  const pid = Number(readOr(file, ''));
  return pid > 0 && isAlive(pid) && commandLine(pid).includes(mark) ? pid : undefined;
}

/** Path of dockerd, from PATH or, as root, of the package. @throws NoEngine */
async function dockerd(log) {
  if (process.platform !== 'linux') throw new NoEngine('engines run on Linux alone');
  if (process.getuid?.() !== 0) throw new NoEngine('only root can start an engine');
  if (!which('dockerd') && canInstallPackages()) {
    log('docker: packages docker.io and debootstrap by apt-get …');
    await installPackages('docker.io', 'debootstrap').catch((error) => log(`docker: ${error.message}`));
  }
  const found = which('dockerd');
  if (!found || !which('docker')) throw new NoEngine('no dockerd and docker on PATH');
  return found;
}
