import { Transform, type TransformCallback } from 'node:stream';

/** Longest line that may be a URL. Only the beginning of a longer line is looked at. */
const MAX_LINE_BYTES = 64 * 1024;
const NEWLINE = 0x0a;

/** Whether a line has a scheme and a host. Contract: archive §9. */
const isUrl = (line: string): boolean => /^[a-z][a-z0-9+.-]*:\/\/[^/?#\s]/i.test(line);

/** Passes a seed file through and counts its lines. Memory is bounded by one line. */
export class SeedLines extends Transform {
  /** Number of decodable lines, blank ones too. */
  count = 0;
  /** The first line that is a URL, trimmed, as typed. */
  firstSeed: string | null = null;

  private readonly decoder = new TextDecoder('utf-8', { fatal: true });
  private pending: Buffer[] = [];
  private pendingBytes = 0;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.keep(chunk.subarray(start, end));
      this.endLine();
      start = end + 1;
    }
    this.keep(chunk.subarray(start));
    done(null, chunk);
  }

  override _flush(done: TransformCallback): void {
    // There is no line after a final newline.
    if (this.pendingBytes > 0) this.endLine();
    done();
  }

  private keep(part: Buffer): void {
    const room = MAX_LINE_BYTES - this.pendingBytes;
    if (room > 0 && part.length > 0) this.pending.push(Buffer.from(part.subarray(0, room)));
    this.pendingBytes += part.length;
  }

  private endLine(): void {
    const line = Buffer.concat(this.pending);
    const isCut = this.pendingBytes > line.length;
    this.pending = [];
    this.pendingBytes = 0;
    let text: string;
    try {
      text = this.decoder.decode(line).trim();
    } catch {
      // A line cut inside a character does not prove a wrong encoding.
      if (isCut) this.count++;
      return;
    }
    this.count++;
    if (this.firstSeed === null && !isCut && isUrl(text)) this.firstSeed = text;
  }
}
