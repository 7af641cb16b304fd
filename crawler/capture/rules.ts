import { headerValue, mimeOf, type HeaderList } from '../../formats/warc/http-headers.js';

/** Bodies above this many bytes are fetched again, because 60 MB moved through DevTools cost 300 MB of memory. */
export const BODY_CAP = 8_000_000;

/**
 * The browser does not get a response that announces more bytes than this: it would hold it in memory or on disk
 * without a limit. Media are excepted, because they are read as they are played.
 */
const BROWSER_CAP = 256 * 2 ** 20;

const UNRECORDED_TYPES = new Set(['WebSocket', 'Ping', 'Preflight', 'CSPViolationReport']);
/** Types that are recorded while they arrive, because they have no end. */
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
  /** Recorded as far as it arrives during the visit. */
  | 'stream'
  /** Recorded like `body`, but as a 200, because the range was the whole file. */
  | 'whole-range'
  /** Fetched again by the crawler and streamed. */
  | 'direct';

/** Decides how a response is captured. Design crawler.md §6, response stage. */
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

/** Whether a response that is fetched directly must be kept from the page. */
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
