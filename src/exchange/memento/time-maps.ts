import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import type { CaptureSource } from '../cdx/capture-lines.js';
import { NoCaptures } from '../exchange.errors.js';
import { timeOf } from '../rules/capture.js';
import { httpDate, link, type MementoLinks } from './memento-links.js';
import { Mementos } from './mementos.js';

/** Sends lists of all mementos of an address as they are read. RFC 7089, 5. */
@Injectable()
export class TimeMaps {
  constructor(private readonly mementos: Mementos) {}

  /** @throws NoCaptures, ArchiveUnavailable */
  async send(
    source: CaptureSource,
    links: MementoLinks,
    form: 'link' | 'json',
    response: ServerResponse,
  ): Promise<void> {
    const times = this.timesOf(source, links.original);
    const first = await times.next();
    if (first.done) throw new NoCaptures();
    const type = form === 'link' ? 'application/link-format' : 'application/json; charset=utf-8';
    response.writeHead(200, { 'Content-Type': type });
    const text = form === 'link' ? asLinks(links, first.value, times) : asJson(links, first.value, times);
    try {
      await pipeline(Readable.from(text, { objectMode: false }), response);
    } catch {
      response.destroy();
    }
  }

  private async *timesOf(source: CaptureSource, url: string): AsyncGenerator<string> {
    for await (const { ts } of this.mementos.of(source, url)) yield ts.slice(0, 14);
  }
}

async function* asLinks(links: MementoLinks, first: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield `${link(links.original, 'original')},\n`;
  yield `${link(links.timemap('link'), 'self', { type: 'application/link-format' })},\n`;
  yield link(links.timegate, 'timegate');
  for await (const { ts, isFirst, isLast } of marked(first, rest)) {
    const rel = [...(isFirst ? ['first'] : []), ...(isLast ? ['last'] : []), 'memento'].join(' ');
    yield `,\n${link(links.memento(ts), rel, { datetime: httpDate(ts) })}`;
  }
  yield '\n';
}

/** In the form of aggregators: `original_uri`, `timegate_uri`, `mementos.list`. */
async function* asJson(links: MementoLinks, first: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  const entry = (ts: string): object => ({
    datetime: new Date(timeOf(ts)).toISOString().replace('.000', ''),
    uri: links.memento(ts),
  });
  const head = JSON.stringify({
    original_uri: links.original,
    timegate_uri: links.timegate,
    timemap_uri: { link_format: links.timemap('link'), json_format: links.timemap('json') },
  });
  yield `${head.slice(0, -1)},"mementos":{"list":[`;
  let last = first;
  for await (const { ts, isFirst } of marked(first, rest)) {
    yield `${isFirst ? '' : ','}${JSON.stringify(entry(ts))}`;
    last = ts;
  }
  yield `],"first":${JSON.stringify(entry(first))},"last":${JSON.stringify(entry(last))}}}`;
}

/** Tells of each time whether it is the first and the last. */
async function* marked(
  first: string,
  rest: AsyncGenerator<string>,
): AsyncGenerator<{ ts: string; isFirst: boolean; isLast: boolean }> {
  let ts = first;
  let isFirst = true;
  for await (const next of rest) {
    yield { ts, isFirst, isLast: false };
    ts = next;
    isFirst = false;
  }
  yield { ts, isFirst, isLast: true };
}
