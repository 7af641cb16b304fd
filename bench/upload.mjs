/** Figures of streaming uploads; see USAGE. */
import { createServer } from 'node:net';
import { spawn } from 'node:child_process';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findVersitygw } from '../scripts/provision/versitygw.mjs';
import { helpOr, load, option, print, run, scratchDir, startProduct, until, watchingMemory } from './lib/product.mjs';
import { writeWacz } from './lib/wacz.mjs';

const USAGE = `
npm run build && node bench/upload.mjs [--mb 1000] [--runs 5] [--s3]

Streams a file with curl to PUT …/uploads/stream and tells MB/s from the first byte to the answer, the object durable,
and how far the service's resident memory rose above what it was before the first one. With --s3 the objects go to a versitygw on this machine, and the same
file goes to it by \`curl -T\` as well, for comparison.
`;
const KEYS = { access_key: 'benchkey', secret_key: 'benchsecret' };

helpOr(USAGE);
const megabytes = Number(option('mb', 1000));
const runs = Number(option('runs', 5));
const isS3 = process.argv.includes('--s3');
const dir = scratchDir();
const file = path.join(dir, 'bench.wacz');
await writeWacz(file, megabytes * 1e6);
const size = statSync(file).size;

const s3 = isS3 ? await startS3() : null;
const product = await startProduct(s3 ? { STORAGES_JSON: storagesFile(s3) } : {});
try {
  const rates = { ours: [], curl: [] };
  // Against the memory before the very first upload, with code that is not loaded yet and buffers that are not made.
  const { growthMb } = await watchingMemory(product.pid, async () => {
    for (let i = 0; i < runs; i += 1) {
      rates.ours.push(await upload(product));
      if (s3) rates.curl.push(await directly(s3, i));
    }
  });
  print(`upload of ${(size / 1e6).toFixed(0)} MB to ${s3 ? 'versitygw' : 'the local store'}: ${summary(rates.ours)}`);
  if (s3) print(`curl -T of the same file to the same server: ${summary(rates.curl)}`);
  print(`RSS growth from before the first upload to the highest during any: ${growthMb().toFixed(0)} MB`);
  print(load());
} finally {
  await product.stop();
  s3?.child.kill();
}

function summary(rates) {
  const sorted = [...rates].sort((a, b) => a - b);
  const shown = (rate) => `${rate.toFixed(0)} MB/s`;
  return `median ${shown(sorted[Math.floor(sorted.length / 2)])}, best ${shown(sorted.at(-1))}, worst ${shown(sorted[0])}`;
}

/** @returns MB/s */
async function upload({ url, token, oid, call }) {
  const target = `${url}/api/orgs/${oid}/uploads/stream?filename=bench.wacz`;
  const headers = ['-H', `Authorization: Bearer ${token}`, '-H', 'Expect:'];
  const output = await run('curl', ['-sS', '-T', file, ...headers, '-w', '\n%{http_code} %{time_total}', target]);
  const [answer, ,] = output.split('\n');
  const [code, seconds] = output.split('\n').at(-1).split(' ');
  if (code !== '200') throw new Error(`upload answered ${output}`);
  const { id } = JSON.parse(answer);
  await until(async () => (await call('GET', `/orgs/${oid}/uploads/${id}`)).state === 'complete');
  await call('POST', `/orgs/${oid}/uploads/delete`, { crawl_ids: [id] });
  return size / 1e6 / Number(seconds);
}

/** @returns MB/s */
async function directly({ url }, n) {
  const { access_key, secret_key } = KEYS;
  const sign = ['--aws-sigv4', 'aws:amz:us-east-1:s3', '--user', `${access_key}:${secret_key}`];
  const headers = ['-H', 'x-amz-content-sha256: UNSIGNED-PAYLOAD', '-H', 'Expect:'];
  const output = ['-w', '%{http_code} %{time_total}', `${url}archive/direct-${n}`];
  const [code, seconds] = (await run('curl', ['-sS', '-T', file, ...sign, ...headers, ...output])).split(' ');
  if (code !== '200') throw new Error(`versitygw answered ${code}`);
  await run('curl', ['-sS', '-X', 'DELETE', ...sign, `${url}archive/direct-${n}`]);
  return size / 1e6 / Number(seconds);
}

async function startS3() {
  const binary = await findVersitygw();
  if (!binary) throw new Error('no versitygw');
  const port = await new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port: free } = server.address();
      server.close(() => resolve(free));
    });
  });
  mkdirSync(path.join(dir, 'data', 'archive'), { recursive: true });
  mkdirSync(path.join(dir, 'meta'));
  const args = ['--port', `127.0.0.1:${port}`, '--access', KEYS.access_key, '--secret', KEYS.secret_key, '--quiet'];
  args.push('posix', path.join(dir, 'data'), '--sidecar', path.join(dir, 'meta'));
  const child = spawn(binary, args, { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}/`;
  for (let i = 0; i < 100; i += 1) {
    if (
      await fetch(url).then(
        () => true,
        () => false,
      )
    )
      return { url, child };
    await delay(50);
  }
  throw new Error('versitygw does not answer');
}

function storagesFile({ url }) {
  const name = path.join(dir, 'storages.json');
  const storage = { type: 's3', name: 'bench', ...KEYS, endpoint_url: url, bucket_name: 'archive' };
  writeFileSync(name, JSON.stringify([storage]));
  return name;
}
