import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import { invalidInput } from '../../common/validation/issue.js';
import { StorageError } from '../../storage/storage.errors.js';
import type { CdxQuery } from '../dto/cdx.dto.js';
import { ArchiveUnavailable, NoSuchPage } from '../exchange.errors.js';
import { captureQuery } from '../rules/capture-query.js';
import { captureOf, timeOf, written, type Capture } from '../rules/capture.js';
import { CaptureLines, type CaptureSource } from './capture-lines.js';

/** Most captures of an answer that is ordered by distance, because it is held in memory. */
const MOST_CLOSEST = 10_000;
/** Bytes that are sent at a time. */
const CHUNK = 64 * 1024;
const TYPES = { cdxj: 'text/x-cdxj', json: 'application/x-ndjson', text: 'text/plain' } as const;

/** Answers queries for captures as CDX servers do. */
@Injectable()
export class Captures {
  constructor(private readonly lines: CaptureLines) {}

  /**
   * Sends the captures as they are read. What fails later than the first line breaks the connection off.
   * @throws NoSuchPage, ArchiveUnavailable, InputRefused
   */
  async send(source: CaptureSource, query: CdxQuery, response: ServerResponse): Promise<void> {
    if (query.page > 0) throw new NoSuchPage();
    if (query.showNumPages) return void json(response, 200, { pages: 1, pageSize: 1, blocks: 1 });
    const abort = new AbortController();
    response.once('close', () => abort.abort());
    const answer = this.answer(source, query, abort.signal);
    const first = await firstOf(answer);
    if (first.done && query.url !== undefined && query.output === 'json')
      return void json(response, 404, { detail: 'no_captures', message: `No captures found for: ${query.url}` });
    response.writeHead(200, { 'Content-Type': `${TYPES[query.output]}; charset=utf-8` });
    try {
      await pipeline(Readable.from(chunked(first, answer), { objectMode: false }), response);
    } catch {
      response.destroy();
    }
  }

  private async *answer(source: CaptureSource, query: CdxQuery, signal: AbortSignal): AsyncGenerator<Buffer> {
    let left = query.limit ?? Infinity;
    const isAsItIs = query.output === 'cdxj' && !query.fl;
    if (query.sort === 'closest') {
      const captures = await this.closest(source, query, signal);
      for (const capture of captures) yield Buffer.from(`${written(capture, query.output, query.fl)}\n`);
      return;
    }
    for await (const line of this.lines.of(source, captureQuery(query), signal)) {
      if (isAsItIs) yield Buffer.from(`${line}\n`, 'latin1');
      else {
        const capture = captureOf(line);
        if (!capture) continue;
        yield Buffer.from(`${written(capture, query.output, query.fl)}\n`);
      }
      left -= 1;
      if (left <= 0) return;
    }
  }

  private async closest(source: CaptureSource, query: CdxQuery, signal: AbortSignal): Promise<Capture[]> {
    const { closest, url, limit = MOST_CLOSEST } = query;
    if (closest === undefined || url === undefined)
      throw invalidInput(['query', closest === undefined ? 'closest' : 'url'], 'Field required', null, 'missing');
    if (limit > MOST_CLOSEST)
      throw invalidInput(['query', 'limit'], `Value error, at most ${MOST_CLOSEST} with sort=closest`, limit);
    const wanted = timeOf(closest);
    let kept: { capture: Capture; distance: number }[] = [];
    const cut = (): void => {
      kept = kept.sort((a, b) => a.distance - b.distance).slice(0, limit);
    };
    for await (const line of this.lines.of(source, captureQuery(query), signal)) {
      const capture = captureOf(line);
      if (capture) kept.push({ capture, distance: Math.abs(timeOf(capture.ts) - wanted) });
      if (kept.length >= 2 * MOST_CLOSEST) cut();
    }
    cut();
    return kept.map(({ capture }) => capture);
  }
}

async function firstOf(answer: AsyncGenerator<Buffer>): Promise<IteratorResult<Buffer>> {
  try {
    return await answer.next();
  } catch (error) {
    if (error instanceof StorageError) throw new ArchiveUnavailable(error.message, { cause: error });
    throw error;
  }
}

async function* chunked(first: IteratorResult<Buffer>, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  try {
    let [lines, size] = [[] as Buffer[], 0];
    for (let next = first; !next.done; next = await rest.next()) {
      lines.push(next.value);
      size += next.value.length;
      if (size < CHUNK) continue;
      yield Buffer.concat(lines);
      [lines, size] = [[], 0];
    }
    if (size > 0) yield Buffer.concat(lines);
  } finally {
    await rest.return(undefined);
  }
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}
