import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { escapedHtml } from '../../common/text/html.js';
import type { PublicCollectionPath } from '../../collections/dto/collection-queries.dto.js';
import { ExchangedFiles } from '../exchanged-files.js';
import { InvalidDatetime } from '../exchange.errors.js';
import { timeOf } from '../rules/capture.js';
import { httpDate, link, MementoLinks } from './memento-links.js';
import { Mementos, type Chosen } from './mementos.js';
import { RawMementos } from './raw-mementos.js';
import { TimeMaps } from './time-maps.js';

export interface Asked {
  readonly path: PublicCollectionPath;
  /** The original resource. */
  readonly url: string;
  /** Base of addresses in the answer. */
  readonly origin: string;
}

/** `Mon, 01 Jan 2024 00:00:00 GMT`; no other form is allowed (RFC 7089, 2.1.1). */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Answers clients of Memento about one collection. RFC 7089. */
@Injectable()
export class MementoServer {
  constructor(
    private readonly files: ExchangedFiles,
    private readonly mementos: Mementos,
    private readonly timeMaps: TimeMaps,
    private readonly raw: RawMementos,
  ) {}

  /** @param wanted value of `Accept-Datetime` @throws CollectionNotFound, NoCaptures, InvalidDatetime */
  async negotiate({ path, url, origin }: Asked, wanted: string | undefined, response: Response): Promise<void> {
    // The answer depends on it also where it is a refusal.
    open(response).set('Vary', 'accept-datetime');
    const wantedMs = wanted === undefined || wanted.trim() === '' ? null : readDate(wanted.trim());
    const source = await this.files.ofPublicCollection(path);
    const chosen = await this.mementos.closest(source, url, wantedMs);
    const links = new MementoLinks(origin, path, url);
    redirect(response.set('Link', linksAround(links, chosen)), links.memento(chosen.ts));
  }

  /** @throws CollectionNotFound, NoCaptures */
  async list({ path, url, origin }: Asked, form: 'link' | 'json', response: Response): Promise<void> {
    const source = await this.files.ofPublicCollection(path);
    await this.timeMaps.send(source, new MementoLinks(origin, path, url), form, open(response));
  }

  /** @param time of the path @throws CollectionNotFound, NoCaptures, UnreadableArchive, ArchiveUnavailable */
  async show(
    { path, url, origin }: Asked,
    time: string,
    { request, response }: { request: Request; response: Response },
  ): Promise<void> {
    const isRaw = time.endsWith('id_');
    const asked = time.replace('id_', '');
    const source = await this.files.ofPublicCollection(path);
    const chosen = await this.mementos.closest(source, url, timeOf(asked));
    const { ts, capture } = chosen;
    const links = new MementoLinks(origin, path, url);
    open(response);
    if (asked.slice(0, 14) !== ts) {
      redirect(response, isRaw ? links.raw(ts) : links.memento(ts));
      return;
    }
    response.set({ 'Memento-Datetime': httpDate(ts), Link: linksAround(links, chosen) });
    if (isRaw) return this.raw.send(source, { capture, ts, links }, { request, response });
    response.set('Content-Security-Policy', "default-src 'none'").type('html').send(pageOf(links, ts));
  }
}

/** Lets scripts of any site read the answer, as players' answers do. */
const open = (response: Response): Response =>
  response.set({
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': 'Link, Location, Memento-Datetime',
  });

/** Express's own would say that the answer varies by `Accept`. */
const redirect = (response: Response, target: string): unknown => response.status(302).set('Location', target).end();

function readDate(text: string): number {
  const ms = HTTP_DATE.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(ms)) throw new InvalidDatetime();
  return ms;
}

/** The links that belong to a memento and to the TimeGate's answer. */
function linksAround(links: MementoLinks, { ts, first, last, before, after }: Chosen): string {
  const times = new Map<string, Set<string>>();
  const add = (time: string | null, rel: string): void => {
    if (time !== null) times.set(time, (times.get(time) ?? new Set<string>()).add(rel));
  };
  add(first, 'first');
  add(before, 'prev');
  add(ts, '');
  add(after, 'next');
  add(last, 'last');
  const mementos = [...times].map(([time, rels]) =>
    link(links.memento(time), [...rels, 'memento'].join(' ').trim(), { datetime: httpDate(time) }),
  );
  return [
    link(links.original, 'original'),
    link(links.timegate, 'timegate'),
    link(links.timemap('link'), 'timemap', { type: 'application/link-format' }),
    ...mementos,
  ].join(', ');
}

/**
 * A memento has an address and a time of its own, which clients read of this answer; what it looks like is shown by the
 * replay, to which the page leads on.
 */
function pageOf(links: MementoLinks, ts: string): string {
  const [replay, raw, original] = [links.replay(ts), links.raw(ts), links.original].map(escapedHtml) as [
    string,
    string,
    string,
  ];
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="refresh" content="0; url=${replay}">`,
    `<title>${original}</title></head>`,
    `<body><p><a href="${replay}">${original}, ${httpDate(ts)}</a></p>`,
    `<p><a href="${raw}">Archived bytes</a></p></body></html>`,
  ].join('\n');
}
