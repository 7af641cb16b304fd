import { createReadStream, readFileSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { createGzip, gzip } from 'node:zlib';
import { SyncedFile } from '../base/synced-file.js';
import { nowIso } from '../base/time.js';
import { RECORD_END, wholeRecord } from '../../formats/warc/record.js';

const compress = promisify(gzip);
/** Compression levels. Level 6 is the usual trade-off; already compressed data would only cost time. */
const LEVEL = { text: 6, packed: 1 } as const;
const PACKED =
  /^(?:image\/(?!svg)|video\/|audio\/|font\/|application\/(?:zip|gzip|pdf|x-gzip|octet-stream|font-woff2?))/;

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
export const SOFTWARE = `Muniment crawler v${version}`;

export interface PlacedRecord {
  /** Start and length of the first record's gzip member. */
  readonly offset: number;
  readonly length: number;
  /** End of the last record. */
  readonly end: number;
}

/** A WARC file being written. Each record is a gzip member, each append is one write. */
export class WarcFile extends SyncedFile {
  readonly name: string;
  private size = 0;

  private constructor(path: string, handle: FileHandle) {
    super(path, handle);
    this.name = basename(path);
  }

  static async create(path: string): Promise<WarcFile> {
    const file = new WarcFile(path, await open(path, 'wx', 0o600));
    const info = `software: ${SOFTWARE}\r\nformat: WARC File Format 1.1\r\n`;
    const header = {
      type: 'warcinfo' as const,
      date: nowIso(),
      contentType: 'application/warc-fields',
      extra: [['WARC-Filename', file.name]] as const,
    };
    await file.append([wholeRecord(header, Buffer.from(info))], '');
    return file;
  }

  get bytes(): number {
    return this.size;
  }

  /** Writes the records one after the other. `mime` of the payload chooses the compression level. */
  async append(records: readonly Buffer[], mime: string): Promise<PlacedRecord> {
    const level = PACKED.test(mime) ? LEVEL.packed : LEVEL.text;
    const members = await Promise.all(records.map((record) => compress(record, { level })));
    return this.serial.run(async () => {
      const offset = this.size;
      const data = Buffer.concat(members);
      await this.writeAll(data);
      return { offset, length: members[0]!.length, end: offset + data.length };
    });
  }

  /** Writes one record whose block ends with a file's content, then the others. */
  appendSpooled(head: Buffer, spool: string, others: readonly Buffer[], mime: string): Promise<PlacedRecord> {
    return this.serial.run(async () => {
      const offset = this.size;
      const packer = createGzip({ level: PACKED.test(mime) ? LEVEL.packed : LEVEL.text });
      const feed = async () => {
        for await (const part of spooledRecord(head, spool)) {
          if (!packer.write(part)) await new Promise<void>((resolve) => packer.once('drain', resolve));
        }
        packer.end();
      };
      const feeding = feed();
      feeding.catch((error: Error) => packer.destroy(error));
      try {
        for await (const part of packer) await this.writeAll(part as Buffer);
        await feeding;
      } catch (error) {
        await this.handle.truncate(offset);
        this.size = offset;
        throw error;
      }
      const length = this.size - offset;
      const members = await Promise.all(others.map((record) => compress(record)));
      if (members.length > 0) await this.writeAll(Buffer.concat(members));
      return { offset, length, end: this.size };
    });
  }

  /** Writes all or nothing: a write that fails midway (disk full) must not leave half a member behind. */
  private async writeAll(data: Buffer): Promise<void> {
    const start = this.size;
    this.dirty = true;
    try {
      let done = 0;
      while (done < data.length) {
        const { bytesWritten } = await this.handle.write(data, done, data.length - done, start + done);
        done += bytesWritten;
      }
      this.size = start + data.length;
    } catch (error) {
      await this.handle.truncate(start).catch(() => undefined);
      throw error;
    }
  }
}

async function* spooledRecord(head: Buffer, spool: string): AsyncGenerator<Buffer> {
  yield head;
  for await (const chunk of createReadStream(spool, { highWaterMark: 1 << 18 })) yield chunk as Buffer;
  yield RECORD_END;
}
