/** Figures of streaming uploads; see USAGE. */
import { statSync } from 'node:fs';
import path from 'node:path';
import { helpOr, load, median, option, print, rates, scratchDir } from './lib/command.mjs';
import { cpuSeconds } from './lib/cpu.mjs';
import { run, startProduct, until, watchingMemory } from './lib/product.mjs';
import { KEYS, startS3 } from './lib/s3.mjs';
import { writeWacz } from './lib/wacz.mjs';

const USAGE = `
npm run build && node bench/upload.mjs [--mb 1000] [--runs 5] [--s3] [--chunked]

Streams a file with curl to PUT …/uploads/stream and tells MB/s from the first byte to the answer, the object durable,
how much processor time that took, and how far the service's resident memory rose above what it was before the first
one. With --s3 the objects go to a versitygw on this machine, and after each upload the same file goes to it by
\`curl -T\` as well, for comparison. With --chunked the service is not told the size, so that it has to send the
object in parts.
`;

helpOr(USAGE);
const megabytes = Number(option('mb', 1000));
const runs = Number(option('runs', 5));
const isS3 = process.argv.includes('--s3');
const unsized = process.argv.includes('--chunked') ? ['-H', 'Transfer-Encoding: chunked'] : [];
const dir = scratchDir();
const file = path.join(dir, 'bench.wacz');
await writeWacz(file, megabytes * 1e6);
const size = statSync(file).size;

const s3 = isS3 ? await startS3(dir) : null;
const product = await startProduct(s3?.env);
try {
  const series = { ours: [], curl: [] };
  // Against the memory before the very first upload, with code that is not loaded yet and buffers that are not made.
  const { growthMb } = await watchingMemory(product.pid, async () => {
    for (let i = 0; i < runs; i += 1) {
      series.ours.push(await upload(product));
      if (s3) series.curl.push(await directly(s3, i));
    }
  });
  print(
    `upload of ${(size / 1e6).toFixed(0)} MB${unsized.length > 0 ? ', of unknown length,' : ''} to ${s3 ? 'versitygw' : 'the local store'}: ${rates(size, times(series.ours))}`,
  );
  print(`processor time for each GB: ${processorTime(series.ours)}`);
  if (s3) {
    print(`curl -T of the same file to the same server: ${rates(size, times(series.curl))}`);
    print(`processor time for each GB: ${processorTime(series.curl)}`);
  }
  print(`RSS growth from before the first upload to the highest during any: ${growthMb().toFixed(0)} MB`);
  print(load());
} finally {
  await product.stop();
  s3?.child.kill();
}

function times(series) {
  return series.map(({ seconds }) => seconds);
}

function processorTime(series) {
  const of = (who) => `${median(series.map((one) => (one[who] / size) * 1e9)).toFixed(2)} s of ${who}`;
  return [of('service'), ...(s3 ? [of('versitygw')] : [])].join(', ');
}

/** Sends the file with curl. @returns seconds it took, and those of the processors */
async function send(args) {
  const used = () => ({ service: cpuSeconds(product.pid), versitygw: s3 ? cpuSeconds(s3.child.pid) : 0 });
  const before = used();
  const output = await run('curl', ['-sS', '-T', file, '-H', 'Expect:', '-w', '\n%{http_code} %{time_total}', ...args]);
  const after = used();
  const [code, seconds] = output.split('\n').at(-1).split(' ');
  if (code !== '200') throw new Error(`the upload was answered with ${output}`);
  const spent = { service: after.service - before.service, versitygw: after.versitygw - before.versitygw };
  return { answer: output.split('\n')[0], seconds: Number(seconds), ...spent };
}

async function upload({ url, token, oid, call }) {
  const target = `${url}/api/orgs/${oid}/uploads/stream?filename=bench.wacz`;
  const sent = await send(['-H', `Authorization: Bearer ${token}`, ...unsized, target]);
  const { id } = JSON.parse(sent.answer);
  await until(async () => (await call('GET', `/orgs/${oid}/uploads/${id}`)).state === 'complete');
  await call('POST', `/orgs/${oid}/uploads/delete`, { crawl_ids: [id] });
  return sent;
}

async function directly({ url }, n) {
  const { access_key, secret_key } = KEYS;
  const sign = ['--aws-sigv4', 'aws:amz:us-east-1:s3', '--user', `${access_key}:${secret_key}`];
  const target = `${url}archive/direct-${n}`;
  const sent = await send([...sign, '-H', 'x-amz-content-sha256: UNSIGNED-PAYLOAD', target]);
  await run('curl', ['-sS', '-X', 'DELETE', ...sign, target]);
  return sent;
}
