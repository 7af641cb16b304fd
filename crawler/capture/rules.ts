import { headerValue, mimeOf, type HeaderList } from '../../formats/warc/http-headers.js';

/** Bodies above this many bytes are not moved through DevTools (60 MB there cost 300 MB of memory) but fetched again. */
export const BODY_CAP = 8_000_000;

/**
 * A response that says it is longer than this is refused to the browser, which would keep it in memory or on the disk
 * outside of any limit. Media are read as they are played.
 */
const BROWSER_CAP = 256 * 2 ** 20;

const UNRECORDED_TYPES = new Set(['WebSocket', 'Ping', 'Preflight', 'CSPViolationReport']);
/** Recorded as they come, for they have no end. */
const FOLLOWED_MIMES = /^text\/event-stream$/;
const STREAM_MIMES = /^(?:multipart\/x-mixed-replace|application\/grpc)/;

export interface PausedResponse {
  readonly url: string;
  readonly method: string;
  readonly resourceType: string;
  readonly status: number;
  readonly headers: HeaderList;
}

export type Treatment =
  /** Not recorded at all. */
  | 'pass'
  /** Recorded with an empty body. */
  | 'empty'
  /** Recorded with the body DevTools gives. */
  | 'body'
  /** Recorded as far as it comes while the page is visited. */
  | 'stream'
  /** As `body`, written as a 200: the range was the whole file. */
  | 'whole-range'
  /** Fetched again by the crawler itself and streamed. */
  | 'direct';

/** How a response is captured. Design crawler.md §6, response stage. */
export function treatment(response: PausedResponse): Treatment {
  const { method, status, resourceType } = response;
  if (!/^https?:/i.test(response.url)) return 'pass';
  if (method === 'OPTIONS' || method === 'HEAD' || method === 'CONNECT') return 'pass';
  if (status === 304 || status < 200 || UNRECORDED_TYPES.has(resourceType)) return 'pass';
  const mime = mimeOf(headerValue(response.headers, 'content-type'));
  if (STREAM_MIMES.test(mime)) return 'pass';
  if (FOLLOWED_MIMES.test(mime)) return status === 200 ? 'stream' : 'pass';
  if ((status >= 300 && status < 400) || status === 204) return 'empty';
  if (status === 206) return rangeTreatment(response);
  const length = Number(headerValue(response.headers, 'content-length'));
  return method === 'GET' && length > BODY_CAP ? 'direct' : 'body';
}

/** Whether the page must not have a response that is fetched directly as well. */
export function isTooLargeFor({ resourceType, headers }: Pick<PausedResponse, 'resourceType' | 'headers'>): boolean {
  return resourceType !== 'Media' && Number(headerValue(headers, 'content-length')) > BROWSER_CAP;
}

function rangeTreatment(response: PausedResponse): Treatment {
  const range = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headerValue(response.headers, 'content-range') ?? '');
  if (response.method !== 'GET') return 'body';
  if (!range) return 'direct';
  const [first, last, total] = [Number(range[1]), Number(range[2]), Number(range[3])];
  return first === 0 && last === total - 1 && total <= BODY_CAP ? 'whole-range' : 'direct';
}
