import { pipeline } from 'node:stream';
import { createGunzip, gunzipSync } from 'node:zlib';
import { parseCdxjLine, urlKey } from '../../formats/cdx/cdxj.js';
import { RECORD_END } from '../../formats/warc/record.js';
import { parseRecordHead } from '../../formats/warc/record-head.js';
import { readLines } from '../../formats/wacz/lines.js';
import type { ZipArchive } from '../../formats/zip/zip-archive.js';
import type { ZipEntry } from '../../formats/zip/zip-directory.js';

const KEY = /^urn:(?:text|view|pageinfo):/;
const INDEXES = new Set(['indexes/index.cdxj', 'indexes/index.cdx', 'indexes/index.cdx.gz']);

interface Place {
  readonly archive: ZipArchive;
  readonly entry: ZipEntry;
  readonly offset: number;
  readonly length: number;
}

/** Reads the crawl's records about its pages from the WACZ files: text, screenshot and list of resources. */
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

  /** The payload of the page's record; null when the crawl kept none. @throws UnreadableWacz for a broken one */
  async read(kind: 'text' | 'view' | 'pageinfo', url: string): Promise<Buffer | null> {
    const place = this.places.get(urlKey(`urn:${kind}:${url}`));
    if (!place) return null;
    const raw = await place.archive.readPart(place.entry, place.offset, place.length);
    const record = raw[0] === 0x1f ? gunzipSync(raw) : raw;
    const start = record.indexOf(RECORD_END) + RECORD_END.length;
    return record.subarray(start, start + parseRecordHead(record.subarray(0, start)).contentLength);
  }

  private addLine(line: string, archive: ZipArchive, warcs: ReadonlyMap<string, ZipEntry>): void {
    const parsed = parseCdxjLine(line);
    const entry = warcs.get(`archive/${String(parsed?.fields['filename'])}`);
    if (!parsed || !entry) return;
    const { key, fields } = parsed;
    const [offset, length] = [Number(fields['offset']), Number(fields['length'])];
    this.places.set(urlKey(key), { archive, entry, offset, length });
  }
}
