import { pipeline } from 'node:stream';
import { createGunzip, gunzipSync } from 'node:zlib';
import { readLines } from '../../formats/wacz/lines.js';
import type { ZipArchive } from '../../formats/zip/zip-archive.js';
import type { ZipEntry } from '../../formats/zip/zip-directory.js';

const KEY = /^urn:(?:text|view|pageinfo):/;
const INDEXES = new Set(['indexes/index.cdxj', 'indexes/index.cdx', 'indexes/index.cdx.gz']);

interface Place {
  archive: ZipArchive;
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

  async addSource(archive: ZipArchive): Promise<void> {
    const warcs = new Map((await archive.find((name) => name.startsWith('archive/'))).map((one) => [one.name, one]));
    for (const index of await archive.find((name) => INDEXES.has(name))) {
      const raw = archive.read(index);
      const text = index.name.endsWith('.gz') ? pipeline(raw, createGunzip(), () => undefined) : raw;
      for await (const line of readLines(text as AsyncIterable<Buffer>))
        if (KEY.test(line)) this.addLine(line, archive, warcs);
    }
  }

  /** The payload of the page's record; null when the crawl kept none. */
  async read(kind: 'text' | 'view' | 'pageinfo', url: string): Promise<Buffer | null> {
    const place = this.places.get(`urn:${kind}:${url}`);
    if (!place) return null;
    const raw = await place.archive.readPart(place.entry, place.offset, place.length);
    const record = raw[0] === 0x1f ? gunzipSync(raw) : raw;
    const head = record.indexOf('\r\n\r\n');
    const size = Number(/^content-length:\s*(\d+)/im.exec(record.toString('latin1', 0, head))?.[1]);
    return Number.isFinite(size) ? record.subarray(head + 4, head + 4 + size) : null;
  }

  private addLine(line: string, archive: ZipArchive, warcs: ReadonlyMap<string, ZipEntry>): void {
    const brace = line.indexOf(' {');
    const key = line.slice(0, line.lastIndexOf(' ', brace - 1));
    let fields: IndexFields;
    try {
      fields = JSON.parse(line.slice(brace + 1)) as IndexFields;
    } catch {
      return;
    }
    const entry = warcs.get(`archive/${fields.filename}`);
    if (entry) this.places.set(key, { archive, entry, offset: Number(fields.offset), length: Number(fields.length) });
  }
}
