import { urlKey } from '../../../formats/cdx/cdxj.js';
import { EVERYTHING, type LineRange } from '../../../formats/cdx/sorted-text.js';
import { invalidInput } from '../../common/validation/issue.js';
import { parseUrl } from '../../common/text/parse-url.js';
import { fieldOf, type Capture } from './capture.js';

export const MATCH_TYPES = ['exact', 'prefix', 'host', 'domain'] as const;
export type MatchType = (typeof MATCH_TYPES)[number];

/** How captures are asked for, in the words of CDX servers. */
export interface CaptureWish {
  readonly url?: string;
  readonly matchType?: MatchType;
  readonly from?: string;
  readonly to?: string;
  readonly filter?: readonly string[];
}

/** Which captures are asked for: where their lines lie in an index, and which of the lines count. */
export interface CaptureQuery {
  /** In ascending order, apart from each other. */
  readonly ranges: readonly LineRange[];
  readonly accepts: (capture: Capture) => boolean;
  /** Whether every line of the ranges counts, so that none has to be parsed. */
  readonly acceptsAll: boolean;
}

/** The character behind one in byte order. */
const after = (text: string): string => text.slice(0, -1) + String.fromCharCode(text.charCodeAt(text.length - 1) + 1);
const startingWith = (from: string): LineRange => ({ from, until: after(from) });

/** Turns the wire's query into ranges and a rule. @throws InputRefused for an address that is none */
export function captureQuery(query: CaptureWish): CaptureQuery {
  const { from, to, filter = [] } = query;
  const rules = filter.map(ruleOf);
  return {
    ranges: query.url === undefined ? [EVERYTHING] : rangesOf(...targetOf(query.url, query.matchType)),
    accepts: (capture) =>
      (from === undefined || capture.ts >= from) &&
      (to === undefined || capture.ts.slice(0, to.length) <= to) &&
      rules.every((holds) => holds(capture)),
    acceptsAll: from === undefined && to === undefined && rules.length === 0,
  };
}

/** The captures of one address. @throws InputRefused */
export const capturesOfUrl = (url: string): CaptureQuery => ({
  ranges: rangesOf(url, 'exact'),
  accepts: () => true,
  acceptsAll: true,
});

/** Reads the wildcards of CDX servers. An explicit `matchType` takes the address as it is. */
function targetOf(url: string, matchType: MatchType | undefined): [string, MatchType] {
  if (matchType) return [url, matchType];
  if (url.startsWith('*.')) return [url.slice(2), 'domain'];
  if (url.endsWith('*')) return [url.slice(0, -1), 'prefix'];
  return [url, 'exact'];
}

function rangesOf(url: string, matchType: MatchType): LineRange[] {
  const key = keyOf(url);
  // Lines are compared by bytes.
  const bytes = Buffer.from(key).toString('latin1');
  const host = bytes.slice(0, bytes.indexOf(')') + 1);
  switch (matchType) {
    case 'exact':
      return [startingWith(`${bytes} `)];
    case 'prefix':
      return [startingWith(bytes)];
    case 'host':
      return [startingWith(`${host}/`)];
    case 'domain': {
      const name = host.slice(0, -1);
      // `)` ends the host itself, a comma begins a host below it, a colon its ports.
      return [')', ',', ':'].map((next) => startingWith(`${name}${next}`));
    }
  }
}

/** The key of an address, which may lack its scheme. */
function keyOf(url: string): string {
  const whole = /^[a-z][a-z\d+.-]*:/i.test(url) && !/^[^/:]+:\d+(\/|$)/.test(url) ? url : `http://${url}`;
  const key = parseUrl(whole) || whole.startsWith('urn:') ? urlKey(whole) : '';
  if (!whole.startsWith('urn:') && !key.includes(')'))
    throw invalidInput(['query', 'url'], 'Value error, not a valid URL', url.slice(0, 200));
  return key;
}

function ruleOf(filter: string): (capture: Capture) => boolean {
  const [, not = '', equal = '', field = '', value = ''] = /^(!?)(=?)(\w+):([^]*)$/.exec(filter) ?? [];
  return (capture) => {
    const found = fieldOf(capture, field) ?? '';
    return (equal ? found === value : found.includes(value)) === (not === '');
  };
}
