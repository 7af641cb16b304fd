/** WACZ files of a wanted size for benches: one stored WARC of random bytes, and a page list. */
import { createWriteStream } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import yazl from 'yazl';

const CHUNK = 1024 * 1024;

/** Writes a WACZ of about `bytes` with one page. */
export async function writeWacz(path, bytes, url = 'https://bench.example/') {
  const { ZipFile } = yazl;
  const zip = new ZipFile();
  const { Readable } = await import('node:stream');
  const noise = randomBytes(CHUNK);
  function* body() {
    for (let left = bytes; left > 0; left -= CHUNK) yield noise.subarray(0, Math.min(left, CHUNK));
  }
  zip.addReadStream(Readable.from(body()), 'archive/data.warc.gz', { compress: false, size: bytes });
  const page = { id: 'bench', url, title: 'Bench', ts: '2026-01-01T00:00:00Z', loadState: 2, status: 200 };
  const pages = `{"format":"json-pages-1.0","id":"pages"}\n${JSON.stringify(page)}\n`;
  zip.addBuffer(Buffer.from(pages), 'pages/pages.jsonl');
  zip.addBuffer(Buffer.from('{"profile":"data-package","resources":[]}'), 'datapackage.json');
  zip.end();
  const file = createWriteStream(path);
  zip.outputStream.pipe(file);
  await once(file, 'close');
}
