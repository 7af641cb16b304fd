import { findIndex, indexLines } from '../../formats/cdx/archive-index.js';
import { indexMembers } from '../../formats/cdx/index-members.js';
import { SortedLines } from '../../formats/cdx/sorted-lines.js';
import type { WaczMember } from '../../formats/wacz/wacz-writer.js';
import type { ByteSource } from '../../formats/zip/byte-source.js';
import type { ZipArchive } from '../../formats/zip/zip-archive.js';

const ALL = { from: '', until: null } as const;
/** A body is in one WACZ after the other, once in each; more than so many captures of it are not told apart. */
const MOST_ORIGINALS = 1_000;
const REVISIT = 'warc/revisit';

interface Fields {
  readonly filename?: unknown;
  readonly digest?: unknown;
  readonly mime?: unknown;
  readonly url?: unknown;
}

/**
 * The index of a WACZ that is made of several. Lines have one character for each byte, as they are sorted.
 *
 * Players read a large index block by block, and look for what a revisit refers to among the lines that they have read:
 * those of the revisit's own address. Originals of other addresses are listed once more in a plain index beside it,
 * which players read whole.
 */
export class StandaloneIndex {
  private readonly lines = new SortedLines();
  /** Of each digest first the lines of originals, then the addresses of revisits. */
  private readonly byDigest = new SortedLines();
  private readonly referred = new SortedLines();

  /**
   * Reads the index of a WACZ. Lines of files that it does not have are left out.
   * @param names of its WARC files, by the names that they had
   * @throws UnreadableWacz, the source's error
   */
  async take(
    archive: ZipArchive,
    source: ByteSource,
    names: ReadonlyMap<string, string>,
    signal?: AbortSignal,
  ): Promise<void> {
    for (const part of await findIndex(archive))
      for await (const line of indexLines(source, part, ALL)) {
        signal?.throwIfAborted();
        await this.add(line, names);
      }
  }

  /** The members that hold it, once all is taken. */
  async *members(): AsyncGenerator<WaczMember> {
    const made = indexMembers(this.lines);
    const first = await made.next();
    if (first.done) return;
    // Players go by the index that they find last.
    if (first.value.path.endsWith('.gz')) {
      await this.findReferred();
      if (!this.referred.isEmpty) yield { path: 'indexes/referred.cdxj', content: ended(this.referred) };
    }
    yield first.value;
    yield* made;
  }

  async close(): Promise<void> {
    await Promise.all([this.lines, this.byDigest, this.referred].map((lines) => lines.close()));
  }

  private async add(line: string, names: ReadonlyMap<string, string>): Promise<void> {
    const at = line.indexOf(' {');
    const fields = at > 0 ? fieldsOf(line.slice(at + 1)) : null;
    const filename = names.get(Buffer.from(String(fields?.filename), 'latin1').toString());
    if (!fields || filename === undefined) return;
    const renamed = { ...fields, filename: Buffer.from(filename).toString('latin1') };
    const written = `${line.slice(0, at)} ${JSON.stringify(renamed)}`;
    await this.lines.addBytes(written);
    const { digest, mime, url } = fields;
    if (typeof digest !== 'string' || typeof url !== 'string' || digest.includes(' ')) return;
    await this.byDigest.addBytes(mime === REVISIT ? `${digest} 1 ${url}` : `${digest} 0 ${written}`);
  }

  /** Originals of bodies to which a revisit of another address refers. */
  private async findReferred(): Promise<void> {
    let [current, originals] = ['', [] as string[]];
    let addresses: Set<unknown> | null = null;
    for await (const bytes of this.byDigest.sorted()) {
      const line = bytes.toString('latin1');
      const at = line.indexOf(' ');
      const [digest, isRevisit, rest] = [line.slice(0, at), line[at + 1] === '1', line.slice(at + 3)];
      if (digest !== current) [current, originals, addresses] = [digest, [], null];
      if (!isRevisit) {
        if (originals.length < MOST_ORIGINALS) originals.push(rest);
        continue;
      }
      addresses ??= new Set(originals.map((one) => fieldsOf(one.slice(one.indexOf(' {') + 1))?.url));
      if (addresses.size < 2 && addresses.has(rest)) continue;
      for (const one of originals) await this.referred.addBytes(one);
      originals = [];
    }
  }
}

async function* ended(lines: SortedLines): AsyncGenerator<Buffer> {
  for await (const line of lines.sorted()) yield Buffer.concat([line, Buffer.from('\n')]);
}

function fieldsOf(json: string): Fields | null {
  try {
    const found = JSON.parse(json) as unknown;
    return typeof found === 'object' && found !== null ? found : null;
  } catch {
    return null;
  }
}
