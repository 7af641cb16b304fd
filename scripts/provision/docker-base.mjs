/** The base image of the Dockerfile, made of this machine's own sources where no registry of images can be reached. */
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { canInstallPackages, installPackages } from './apt.mjs';
import { cacheDir, failureLine, readOr, run, say, which } from './lib.mjs';

const PULL_MS = 120_000;
const BOOTSTRAP_MS = 20 * 60_000;
const APT = '/etc/apt';
/** Where Debian has the authorities that programs trust. */
const BUNDLE = '/etc/ssl/certs/ca-certificates.crt';
const ARCHITECTURES = { x64: 'x64', arm64: 'arm64' };

/**
 * Gives the engine a base image: from the registry of its name or, where that is out of reach, of Debian's packages and
 * npm's Node, by the apt sources and the certificates of this machine.
 * @param engine a DockerEngine @param {string} name such as node:22-bookworm-slim
 * @throws {Error} with what was tried
 */
export async function makeBaseImage(engine, name, log = say) {
  log(`docker: ${name} …`);
  if ((await engine.docker(['pull', name], { timeoutMs: PULL_MS })).code === 0) return;
  const [, major, suite] = /^node:(\d+)-([a-z]+)-slim$/.exec(name) ?? [];
  if (!major) throw new Error(`${name} can neither be pulled nor made`);
  log(`docker: it cannot be pulled, and is made of Debian ${suite} and Node ${major} …`);
  const folder = mkdtempSync(path.join(cacheDir('docker'), 'base-'));
  try {
    const root = path.join(folder, 'root');
    await bootstrap(suite, root);
    trustAsHere(root);
    await addNode(major, folder, root);
    const archive = path.join(folder, 'root.tar');
    await done('tar', ['-C', root, '--exclude', './dev/*', '-cf', archive, '.']);
    const changes = [
      'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      `ENV NODE_EXTRA_CA_CERTS=${BUNDLE}`,
      'CMD ["node"]',
    ];
    await engine.said('import', ...changes.flatMap((change) => ['--change', change]), archive, name);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function bootstrap(suite, root) {
  if (!which('debootstrap') && canInstallPackages()) await installPackages('debootstrap');
  const mirror = mirrorOf(suite);
  if (!mirror) throw new Error(`the apt sources of this machine have no mirror of ${suite}`);
  const options = ['--variant=minbase', '--include=ca-certificates', suite, root, mirror];
  await done('debootstrap', options, { timeoutMs: BOOTSTRAP_MS });
  rmSync(path.join(root, 'var/cache/apt/archives'), { recursive: true, force: true });
  mkdirSync(path.join(root, 'var/cache/apt/archives/partial'), { recursive: true });
  for (const list of readdirSync(path.join(root, 'var/lib/apt/lists')))
    rmSync(path.join(root, 'var/lib/apt/lists', list), { recursive: true, force: true });
  // As the official slim images: no manuals, and no package lists that are out of date.
  for (const unread of ['doc', 'man', 'locale', 'info'])
    rmSync(path.join(root, 'usr/share', unread), { recursive: true, force: true });
  writeFileSync(
    path.join(root, 'etc/dpkg/dpkg.cfg.d/unread'),
    ['doc', 'man', 'locale', 'info'].map((unread) => `path-exclude /usr/share/${unread}/*\n`).join(''),
  );
}

/** URL of the mirror of a suite, from this machine's apt sources of either format; undefined when there is none. */
export function mirrorOf(suite, texts = sourceTexts()) {
  for (const text of texts) {
    for (const entry of text.split(/\n\s*\n/)) {
      const uri = /^URIs:\s*(\S+)/im.exec(entry)?.[1];
      const suites = /^Suites:\s*(.+)$/im.exec(entry)?.[1]?.split(/\s+/) ?? [];
      if (uri && suites.includes(suite)) return uri;
    }
    const line = new RegExp(`^deb\\s+(?:\\[[^\\]]*\\]\\s+)?(\\S+)\\s+${suite}\\s`, 'm').exec(text);
    if (line) return line[1];
  }
  return undefined;
}

function sourceTexts() {
  const folder = path.join(APT, 'sources.list.d');
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => /\.(list|sources)$/.test(name)) : [];
  return [path.join(APT, 'sources.list'), ...files.map((name) => path.join(folder, name))].map((file) =>
    readOr(file, ''),
  );
}

/** Packages come from where this machine has them, and whom it trusts is trusted. */
function trustAsHere(root) {
  if (existsSync(BUNDLE)) copyFileSync(BUNDLE, path.join(root, BUNDLE));
  rmSync(path.join(root, APT, 'sources.list'), { force: true });
  for (const name of ['sources.list', 'sources.list.d', 'keyrings']) {
    const from = path.join(APT, name);
    if (existsSync(from)) cpSync(from, path.join(root, from), { recursive: true });
  }
}

async function addNode(major, folder, root) {
  const arch = ARCHITECTURES[process.arch];
  if (!arch) throw new Error(`there is no Node for ${process.arch} in npm`);
  const options = [
    'install',
    '--prefix',
    folder,
    '--no-save',
    '--ignore-scripts',
    `node-linux-${arch}@${major}`,
    'npm@10',
  ];
  await done('npm', options);
  const modules = path.join(folder, 'node_modules');
  copyFileSync(path.join(modules, `node-linux-${arch}`, 'bin', 'node'), path.join(root, 'usr/local/bin/node'));
  cpSync(path.join(modules, 'npm'), path.join(root, 'usr/local/lib/node_modules/npm'), { recursive: true });
  for (const name of ['npm', 'npx'])
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, path.join(root, 'usr/local/bin', name));
}

async function done(command, args, options) {
  const { code, output } = await run(command, args, options);
  if (code !== 0) throw new Error(`${command}: ${failureLine(output)}`);
}
