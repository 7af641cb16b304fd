import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import yazl from 'yazl';
import { ROOT } from '../../support/product.js';

const run = promisify(execFile);
const PAGES = 1_000_000;
/** Of records, a page: an archive that is smaller than its list claims pages that it cannot have. */
const RECORD_BYTES = 64;
const STEP_MS = 240_000;

/** Reads the pages with a heap that cannot hold them, and tells how much it held besides. */
const READ = `
import { open } from 'node:fs/promises';
import { ZipArchive } from ${JSON.stringify(`${ROOT}/dist/formats/zip/zip-archive.js`)};
import { readPages } from ${JSON.stringify(`${ROOT}/dist/src/wacz/wacz.js`)};
const file = await open(process.argv[1]);
const { size } = await file.stat();
const source = {
  size,
  stream: async (start, length) => file.createReadStream({ start, end: start + length - 1, autoClose: false }),
};
let pages = 0;
let held = 0;
for await (const page of readPages(await ZipArchive.open(source))) {
  pages += 1;
  if (pages % 10_000 === 0) {
    globalThis.gc();
    held = Math.max(held, process.memoryUsage().external);
  }
}
console.log(JSON.stringify({ pages, held }));
`;

function* lines(): Generator<Buffer> {
  for (let i = 0; i < PAGES; i += 1000) {
    const some = Array.from({ length: 1000 }, (_, k) => {
      const page = {
        id: String(i + k),
        url: `https://many.example/${i + k}`,
        title: `Page number ${i + k}`,
        ts: '2026-01-01T00:00:00Z',
      };
      return JSON.stringify(page);
    });
    yield Buffer.from(some.join('\n') + '\n');
  }
}

describe('a page list of a million lines', () => {
  it(
    'is read in bounded memory',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'muniment-many-'));
      try {
        const path = join(folder, 'many.wacz');
        const zip = new yazl.ZipFile();
        zip.addReadStream(Readable.from(lines(), { objectMode: false }), 'pages/pages.jsonl', { compress: true });
        zip.addBuffer(Buffer.alloc(PAGES * RECORD_BYTES), 'archive/data.warc.gz', { compress: false });
        zip.end();
        await pipeline(zip.outputStream, createWriteStream(path));
        const args = ['--max-old-space-size=48', '--expose-gc', '--input-type=module', '-e', READ, path];
        const { stdout } = await run(process.execPath, args);
        const { pages, held } = JSON.parse(stdout) as { pages: number; held: number };
        expect(pages).toBe(PAGES);
        // The list itself has over 100 MB.
        expect(held).toBeLessThan(48 * 1024 * 1024);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
    STEP_MS,
  );
});
