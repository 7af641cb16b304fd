/**
 * Export and import of an org of 1,000,000 pages: time, size, and the memory of the service meanwhile.
 * `npm run build && node bench/org-archive.mjs [pages]`
 */
import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import mongoose from 'mongoose';
import { helpOr, load, print } from './lib/command.mjs';
import { ADMIN, startService, tokenOf } from './lib/service.mjs';

helpOr(
  'node bench/org-archive.mjs [pages]: exports an org to a file, deletes it and imports the file (default: 1000000\n' +
    'pages); prints seconds, bytes and the peak resident memory of the service',
);
const PAGES = Number(process.argv[2] ?? 1_000_000);
const BATCH = 5000;
const MB = 1e6;

const { UUID } = mongoose.mongo;
const file = path.join(os.tmpdir(), `muniment-bench-${process.pid}.json`);
const service = await startService({}, ['--expose-gc']);
try {
  const admin = await tokenOf(service.url, ADMIN);
  const created = await fetch(`${service.url}/orgs/create`, {
    method: 'POST',
    headers: { ...admin, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Large' }),
  });
  const { id } = await created.json();
  const oid = new UUID(id);
  const pages = service.db.collection('pages');
  const page = (n) => ({
    _id: new UUID(randomUUID()),
    oid,
    crawl_id: 'manual-20261101100000-0e138ad6-b8c',
    url: `https://example.org/section-${n % 97}/page-${n}`,
    title: `Page ${n}`,
    ts: new Date('2026-11-01T10:00:00Z'),
    status: 200,
    mime: 'text/html',
    loadState: 4,
    isSeed: n === 0,
  });
  for (let at = 0; at < PAGES; at += BATCH)
    await pages.insertMany(
      Array.from({ length: Math.min(BATCH, PAGES - at) }, (_, n) => page(at + n)),
      { ordered: false },
    );

  const measured = async (title, deed) => {
    const { rss } = await service.ask('reset');
    const began = performance.now();
    await deed();
    const seconds = (performance.now() - began) / 1000;
    const { peakRss } = await service.ask('read');
    print(
      `${title}: ${seconds.toFixed(1)} s, ${Math.round(PAGES / seconds)} pages/s, peak ${(peakRss / MB).toFixed(0)} MB` +
        ` (${(rss / MB).toFixed(0)} MB before)`,
    );
  };
  await measured('export', async () => {
    const response = await fetch(`${service.url}/orgs/${id}/export/json`, { headers: admin });
    await pipeline(Readable.fromWeb(response.body), createWriteStream(file));
  });
  print(`size: ${(statSync(file).size / MB).toFixed(0)} MB`);
  await pages.deleteMany({ oid });
  await service.db.collection('organizations').deleteOne({ _id: oid });
  await measured('import', async () => {
    const body = Readable.toWeb(createReadStream(file));
    const response = await fetch(`${service.url}/orgs/import/json`, {
      method: 'POST',
      headers: admin,
      body,
      duplex: 'half',
    });
    if (!response.ok) throw new Error(`import answered ${response.status} ${await response.text()}`);
  });
  if ((await pages.countDocuments({ oid })) !== PAGES) throw new Error('pages are missing');
  print(load());
} finally {
  await service.stop();
  rmSync(file, { force: true });
}
