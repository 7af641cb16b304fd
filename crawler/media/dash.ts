import { parseXml, type Element } from './xml.js';
import { NamedUrls, replayedFirst, type Rendition } from './renditions.js';

/** The values that a Representation inherits from the manifest's elements above it. */
interface Scope {
  readonly base: string;
  /** Seconds; null when the manifest does not tell. */
  readonly duration: number | null;
  /** Attributes and children of the segment descriptions above, the nearest first. */
  readonly templates: readonly Element[];
  readonly lists: readonly Element[];
}

interface Representation extends Rendition {
  readonly element: Element;
  readonly scope: Scope;
}

/**
 * The addresses in a DASH manifest (ISO/IEC 23009-1): initialization and segments of every representation, by template
 * with or without a timeline, by list, or as one file. A live stream without a timeline gives only the initialization,
 * because its segments follow from the clock.
 * @param base address of the manifest; @returns absolute addresses, those that replay needs first
 * @throws when the text is no XML
 */
export function dashUrls(text: string, base: string, mostRenditions = Infinity): string[] {
  const mpd = parseXml(text);
  const named = new NamedUrls();
  const top: Scope = { base, duration: seconds(mpd.attributes['mediaPresentationDuration']), templates: [], lists: [] };
  const periods = childrenOf(mpd, 'Period');
  periods.forEach((period, i) => {
    const own = seconds(period.attributes['duration']) ?? untilNext(periods, i, top.duration);
    const inPeriod = within({ ...within(top, mpd), duration: own }, period);
    for (const set of childrenOf(period, 'AdaptationSet')) {
      const inSet = within(inPeriod, set);
      const representations = childrenOf(set, 'Representation').map((element) => representation(element, set, inSet));
      for (const each of replayedFirst(representations).slice(0, mostRenditions)) addSegments(each, named);
    }
  });
  return named.list;
}

function representation(element: Element, set: Element, scope: Scope): Representation {
  const number = (name: string): number => Number(element.attributes[name] ?? set.attributes[name] ?? 0);
  return {
    element,
    scope: within(scope, element),
    pixels: number('width') * number('height'),
    bandwidth: number('bandwidth'),
  };
}

function within(scope: Scope, element: Element): Scope {
  const reference = childrenOf(element, 'BaseURL')[0]?.text.trim();
  return {
    base: reference ? resolved(reference, scope.base) : scope.base,
    duration: scope.duration,
    templates: [...childrenOf(element, 'SegmentTemplate'), ...scope.templates],
    lists: [...childrenOf(element, 'SegmentList'), ...scope.lists],
  };
}

function addSegments({ element, scope }: Representation, named: NamedUrls): void {
  const { base, templates, lists } = scope;
  if (templates.length > 0) return addTemplate({ element, scope }, named);
  if (lists.length === 0) return named.add(base, base);
  named.add(firstChild(lists, 'Initialization')?.attributes['sourceURL'], base);
  const segments = lists.map((list) => childrenOf(list, 'SegmentURL')).find(({ length }) => length > 0) ?? [];
  // Ranges of one file have no address of their own.
  for (const { attributes } of segments) named.add(attributes['media'] ?? base, base);
}

function addTemplate({ element, scope }: Pick<Representation, 'element' | 'scope'>, named: NamedUrls): void {
  const { base, templates } = scope;
  const value = (name: string): string | undefined =>
    templates.find(({ attributes }) => name in attributes)?.attributes[name];
  const { id = '', bandwidth = '' } = element.attributes;
  const fill = (pattern: string | undefined, number: number, time: number): string | undefined =>
    pattern?.replace(
      /\$(?:(RepresentationID|Bandwidth|Number|Time)(?:%0(\d{1,2})d)?)?\$/g,
      (_all, name?: string, width?: string) => {
        if (name === undefined) return '$';
        const known: Record<string, string> = {
          RepresentationID: id,
          Bandwidth: bandwidth,
          Number: String(number),
          Time: String(time),
        };
        return known[name]!.padStart(Number(width ?? 0), '0');
      },
    );
  named.add(fill(value('initialization'), 0, 0), base);
  const first = Number(value('startNumber') ?? 1);
  const timescale = Number(value('timescale') ?? 1) || 1;
  const timeline = firstChild(templates, 'SegmentTimeline');
  const end =
    scope.duration === null ? null : scope.duration * timescale + Number(value('presentationTimeOffset') ?? 0);
  const starts = timeline ? timesOf(timeline, end) : evenTimes(Number(value('duration')), scope.duration, timescale);
  let number = first;
  for (const time of starts) {
    if (named.isFull) return;
    named.add(fill(value('media'), number++, time), base);
  }
}

/** Start times of a timeline's segments in the timeline's units. */
function* timesOf(timeline: Element, end: number | null): Generator<number> {
  const runs = childrenOf(timeline, 'S').map(({ attributes }) => attributes);
  let time = 0;
  for (const [i, run] of runs.entries()) {
    if (run['t'] !== undefined) time = Number(run['t']);
    const length = Number(run['d']);
    if (!(length > 0)) return;
    const repeats = Number(run['r'] ?? 0);
    // A negative count means: until the next run or the end.
    const until = repeats < 0 ? Number(runs[i + 1]?.['t'] ?? end ?? time + length) : time + length * (repeats + 1);
    for (; time < until; time += length) yield time;
  }
}

function* evenTimes(length: number, duration: number | null, timescale: number): Generator<number> {
  if (!(length > 0) || duration === null) return;
  for (let time = 0; time < duration * timescale; time += length) yield time;
}

function untilNext(periods: readonly Element[], index: number, whole: number | null): number | null {
  const start = seconds(periods[index]?.attributes['start']) ?? 0;
  const next = seconds(periods[index + 1]?.attributes['start']) ?? (index + 1 < periods.length ? null : whole);
  return next === null ? null : next - start;
}

/** An XML duration without years and months, e.g. PT1H2M3.5S; null for anything else. */
function seconds(text: string | undefined): number | null {
  const match = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?)?$/.exec(text?.trim() ?? '');
  if (!match) return null;
  const [days, hours, minutes, rest] = match.slice(1).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
  ];
  return ((days * 24 + hours) * 60 + minutes) * 60 + rest;
}

function resolved(reference: string, base: string): string {
  try {
    return new URL(reference, base).href;
  } catch {
    return base;
  }
}

const childrenOf = (element: Element, name: string): Element[] =>
  element.children.filter((child) => child.name === name);

const firstChild = (elements: readonly Element[], name: string): Element | undefined =>
  elements.flatMap((element) => childrenOf(element, name))[0];
