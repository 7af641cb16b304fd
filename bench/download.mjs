/** Figures of combined downloads; see USAGE. */
import { createHash } from 'node:crypto';
import { createReadStream, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { LocalObjectStore } from '../dist/src/storage/local/local-object-store.js';
import { openArchive } from '../dist/src/wacz/object-byte-source.js';
import { helpOr, load, median, option, print, rates, scratchDir } from './lib/command.mjs';
import { cpuSeconds } from './lib/cpu.mjs';
import { run, startProduct, until, watchingMemory } from './lib/product.mjs';
import { startS3 } from './lib/s3.mjs';
import { writeWacz } from './lib/wacz.mjs';

const USAGE = `
npm run build && node bench/download.mjs [--files 20] [--mb 100] [--runs 5] [--s3]

Puts uploads into a collection and downloads it as one package with curl. The first download, which is not timed, goes
to a file: every member must be there with the digest of what was uploaded. The others go to /dev/null; each must have
the status, the Content-Length and the number of received bytes of the first. Tells MB/s, the processor time of the
service, and how far its resident memory rose above what it was before the first one. With --s3 the uploads lie in a
versitygw on this machine.
`;

helpOr(USAGE);
const files = Number(option('files', 20));
const megabytes = Number(option('mb', 100));
const runs = Number(option('runs', 5));
const s3 = process.argv.includes('--s3') ? await startS3(scratchDir()) : null;
const product = await startProduct(s3?.env);
try {
  const { collection, digest } = await fill();
  const series = [];
  const { result: bytes, growthMb } = await watchingMemory(product.pid, async () => {
    const whole = await verified(collection, digest);
    for (let i = 0; i < runs; i += 1) series.push(await timed(collection, whole));
    return whole;
  });
  const times = series.map(({ seconds }) => seconds);
  print(`download of ${files} × ${megabytes} MB: ${rates(bytes, times)}`);
  const cpu = median(series.map((one) => one.cpu));
  print(`processor time for each GB: ${cpu.toFixed(2)} s of service; all ${files} members verified by their digests`);
  print(`RSS growth from before the first download to the highest during any: ${growthMb().toFixed(0)} MB`);
  print(load());
} finally {
  await product.stop();
  s3?.child.kill();
}

/** @returns id of a collection of all uploads, and the SHA-256 of each of them */
async function fill() {
  const { url, token, oid, call } = product;
  const file = path.join(scratchDir(), 'bench.wacz');
  await writeWacz(file, megabytes * 1e6);
  const { id } = await call('POST', `/orgs/${oid}/collections`, { name: 'Bench' });
  for (let i = 0; i < files; i += 1) {
    const target = `${url}/api/orgs/${oid}/uploads/stream?filename=bench.wacz&collections=${id}`;
    await run('curl', ['-sSf', '-T', file, '-H', `Authorization: Bearer ${token}`, target]);
  }
  const digest = await sha256(createReadStream(file));
  rmSync(file);
  const processing = () => call('GET', `/orgs/${oid}/uploads?state=processing-upload`);
  await until(async () => (await processing()).total === 0, 300_000);
  return { collection: id, digest };
}

async function sha256(stream) {
  const hash = createHash('sha256');
  await pipeline(stream, hash);
  return hash.digest('hex');
}

/** Downloads into `target`. @returns bytes that came and seconds it took */
async function download(id, target) {
  const { url, token, oid } = product;
  const figures = ['-o', target, '-w', '%{http_code} %{size_download} %header{content-length} %{time_total}'];
  const auth = ['-H', `Authorization: Bearer ${token}`];
  const output = await run('curl', ['-sS', ...auth, ...figures, `${url}/api/orgs/${oid}/collections/${id}/download`]);
  const [code, bytes, announced, seconds] = output.split(' ');
  if (code !== '200' || bytes !== announced) throw new Error(`the download was answered with ${output}`);
  return { bytes: Number(bytes), seconds: Number(seconds) };
}

/** @returns the size of the package, after every member was read and compared */
async function verified(id, digest) {
  const [root, name] = [scratchDir(), 'package.wacz'];
  const target = path.join(root, name);
  const { bytes } = await download(id, target);
  if (statSync(target).size !== bytes) throw new Error(`curl counted ${bytes} bytes, the file has others`);
  const archive = await openArchive(new LocalObjectStore({ root }), name);
  const members = await archive.find((member) => member.endsWith('.wacz'));
  if (members.length !== files) throw new Error(`${members.length} of ${files} members`);
  for (const member of members) {
    if ((await sha256(archive.read(member))) !== digest) throw new Error(`${member.name} is not what was uploaded`);
  }
  rmSync(target);
  return bytes;
}

/** @returns seconds, and those of the service's processor time for each GB */
async function timed(id, wanted) {
  const before = cpuSeconds(product.pid);
  const { bytes, seconds } = await download(id, '/dev/null');
  if (bytes !== wanted) throw new Error(`${bytes} bytes came, not ${wanted}`);
  return { seconds, cpu: ((cpuSeconds(product.pid) - before) * 1e9) / bytes };
}
