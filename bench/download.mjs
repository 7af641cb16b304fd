/** Figures of combined downloads; see USAGE. */
import path from 'node:path';
import { rmSync } from 'node:fs';
import { helpOr, load, option, print, run, scratchDir, startProduct, until, watchingMemory } from './lib/product.mjs';
import { writeWacz } from './lib/wacz.mjs';

const USAGE = `
npm run build && node bench/download.mjs [--files 20] [--mb 100] [--runs 5]

Puts uploads into a collection and downloads it as one package with curl, into /dev/null. Tells MB/s and how far the
service's resident memory rose above what it was before the first one.
`;

helpOr(USAGE);
const files = Number(option('files', 20));
const megabytes = Number(option('mb', 100));
const runs = Number(option('runs', 5));
const product = await startProduct();
try {
  const collection = await fill();
  const rates = [];
  const { growthMb } = await watchingMemory(product.pid, async () => {
    for (let i = 0; i < runs; i += 1) rates.push(await download(collection));
  });
  rates.sort((a, b) => a - b);
  const shown = (rate) => `${rate.toFixed(0)} MB/s`;
  const middle = shown(rates[Math.floor(runs / 2)]);
  print(
    `download of ${files} × ${megabytes} MB: median ${middle}, best ${shown(rates.at(-1))}, worst ${shown(rates[0])}`,
  );
  print(`RSS growth from before the first download to the highest during any: ${growthMb().toFixed(0)} MB`);
  print(load());
} finally {
  await product.stop();
}

/** @returns id of a collection of all uploads */
async function fill() {
  const { url, token, oid, call } = product;
  const file = path.join(scratchDir(), 'bench.wacz');
  await writeWacz(file, megabytes * 1e6);
  const { id } = await call('POST', `/orgs/${oid}/collections`, { name: 'Bench' });
  for (let i = 0; i < files; i += 1) {
    const target = `${url}/api/orgs/${oid}/uploads/stream?filename=bench.wacz&collections=${id}`;
    await run('curl', ['-sSf', '-T', file, '-H', `Authorization: Bearer ${token}`, target]);
  }
  rmSync(file);
  const processing = () => call('GET', `/orgs/${oid}/uploads?state=processing-upload`);
  await until(async () => (await processing()).total === 0, 300_000);
  return id;
}

/** @returns MB/s */
async function download(id) {
  const { url, token, oid } = product;
  const target = `${url}/api/orgs/${oid}/collections/${id}/download`;
  const figures = ['-o', '/dev/null', '-w', '%{http_code} %{size_download} %{time_total}'];
  const output = await run('curl', ['-sS', '-H', `Authorization: Bearer ${token}`, ...figures, target]);
  const [code, bytes, seconds] = output.split(' ');
  if (code !== '200' || Number(bytes) < files * megabytes * 1e6) throw new Error(`download answered ${output}`);
  return Number(bytes) / 1e6 / Number(seconds);
}
