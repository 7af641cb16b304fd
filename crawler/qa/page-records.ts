import { createGunzip, gunzipSync } from 'node:zlib';
import { linesOf } from './wacz-pages.js';
import { readRange, type SourceFile } from './source-file.js';
import { content, contentOffset, directory, type ZipEntry } from './zip-directory.js';

const KEY = /^urn:(?:text|view|pageinfo):/;

interface Place {
  file: SourceFile;
  entry: ZipEntry;
  offset: number;
  length: number;
}

interface IndexFields {
  offset: string | number;
  length: string | number;
  filename: string;
}

/** What the crawl kept about its pages: text, screenshot and list of resources, read straight from the WACZ files. */
export class PageRecords {
  private readonly places = new Map<string, Place>();

  async addSource(file: SourceFile): Promise<void> {
    const entries = await directory(file);
    const archive = new Map(entries.map((entry) => [entry.name, entry]));
    for (const name of ['indexes/index.cdxj', 'indexes/index.cdx', 'indexes/index.cdx.gz']) {
      const entry = archive.get(name);
      if (!entry) continue;
      const raw = await content(file, entry);
      const lines = linesOf(name.endsWith('.gz') ? raw.pipe(createGunzip()) : raw);
      for await (const line of lines) if (KEY.test(line)) this.addLine(line, file, archive);
    }
  }

  /** The payload of the page's record; null when the crawl kept none. */
  async read(kind: 'text' | 'view' | 'pageinfo', url: string): Promise<Buffer | null> {
    const place = this.places.get(`urn:${kind}:${url}`);
    if (!place || place.entry.method !== 0) return null;
    const start = (await contentOffset(place.file, place.entry)) + place.offset;
    const raw = await readRange(place.file, start, start + place.length);
    const record = raw[0] === 0x1f ? gunzipSync(raw) : raw;
    const head = record.indexOf('\r\n\r\n');
    const size = Number(/^content-length:\s*(\d+)/im.exec(record.toString('latin1', 0, head))?.[1]);
    return Number.isFinite(size) ? record.subarray(head + 4, head + 4 + size) : null;
  }

  private addLine(line: string, file: SourceFile, archive: ReadonlyMap<string, ZipEntry>): void {
    const brace = line.indexOf(' {');
    const key = line.slice(0, line.lastIndexOf(' ', brace - 1));
    let fields: IndexFields;
    try {
      fields = JSON.parse(line.slice(brace + 1)) as IndexFields;
    } catch {
      return;
    }
    const entry = archive.get(`archive/${fields.filename}`);
    if (entry) this.places.set(key, { file, entry, offset: Number(fields.offset), length: Number(fields.length) });
  }
}
