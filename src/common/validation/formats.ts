import { isDate } from 'class-validator';
import { parseUrl } from '../text/parse-url.js';
import { canonicalUuid } from '../ids/uuid.js';
import { BROWSER_ID } from '../ids/browser-id.js';
import { canonicalItemId } from '../ids/item-id.js';
import { parseDateTime } from './date-time.js';
import { parseEmail } from './email.js';
import { demand, shownAs, written, type Fault, type Kind } from './kind.js';
import { IS_TEXT, str } from './scalars.js';

function notUuid(value: unknown): Fault {
  if (typeof value !== 'string')
    return { type: 'uuid_type', msg: 'UUID input should be a string, bytes or UUID object' };
  const error = `invalid length: expected length 32 for simple format, found ${value.length}`;
  return { type: 'uuid_parsing', msg: `Input should be a valid UUID, ${error}`, ctx: { error } };
}

/** An id that is read as its canonical spelling. */
const idBy = (canonical: (id: string) => string | null): Pick<Kind<string>, 'convert' | 'demands'> => ({
  convert: (sent) => (typeof sent === 'string' ? (canonical(sent) ?? sent) : sent),
  demands: [demand('isId', (value) => typeof value === 'string' && canonical(value) === value, notUuid)],
});

/** A UUID in any accepted spelling, read as the canonical lower-case hyphenated string. */
export const uuid = (): Kind<string> => ({
  ...idBy(canonicalUuid),
  schema: () => ({ type: 'string', format: 'uuid' }),
});

/** Id of a crawl, upload or QA run (crawling §1.4). The contract declares it as a plain string. */
export const itemId = (): Kind<string> => ({ ...idBy(canonicalItemId), schema: str().schema });

/** Id of a profile browser (archive §8). The contract declares it as a plain string. */
export const browserId = (): Kind<string> => shownAs(str({ pattern: BROWSER_ID }), str());

const timeSchema = () => ({ type: 'string', format: 'date-time' });

/** ISO 8601, date only, or epoch seconds/milliseconds. A time without zone is UTC. */
export const dateTime = (): Kind<Date> => ({
  convert: (sent) => parseDateTime(sent) ?? sent,
  demands: [
    demand('isDate', isDate, {
      type: 'datetime_from_date_parsing',
      msg: 'Input should be a valid datetime or date, invalid input',
      ctx: { error: 'invalid input' },
    }),
  ],
  schema: timeSchema,
});

/** A time as answers spell it (`wireTime`). */
export const timeText = (): Kind<string> => written(timeSchema);

const HTTP_SCHEMES = "'http' or 'https'";

function httpUrlOf(value: unknown): URL | null {
  const url = typeof value === 'string' ? parseUrl(value.trim()) : null;
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url : null;
}

function notHttpUrl(value: unknown): Fault {
  if (typeof value !== 'string') return { type: 'url_type', msg: 'URL input should be a string or URL' };
  if (parseUrl(value.trim()))
    return {
      type: 'url_scheme',
      msg: `URL scheme should be ${HTTP_SCHEMES}`,
      ctx: { expected_schemes: HTTP_SCHEMES },
    };
  const error = value.trim() === '' ? 'input is empty' : 'relative URL without a base';
  return { type: 'url_parsing', msg: `Input should be a valid URL, ${error}`, ctx: { error } };
}

/** The WHATWG serialisation of an absolute http or https URL. Any other text is refused. */
export const httpUrl = (): Kind<string> => ({
  convert: (sent) => httpUrlOf(sent)?.href ?? sent,
  demands: [demand('isUrl', (value) => httpUrlOf(value) !== null, notHttpUrl)],
  schema: () => ({ type: 'string', format: 'uri' }),
});

/** Like `httpUrl`, but declared as a plain string in the contract. */
export const httpUrlText = (): Kind<string> => shownAs(httpUrl(), str());

/** An email address, reduced to its lower-case address part (accounts §1.4). */
export const email = (): Kind<string> => ({
  convert: (sent) => {
    const parsed = typeof sent === 'string' ? parseEmail(sent) : {};
    return 'address' in parsed ? parsed.address : sent;
  },
  demands: [
    IS_TEXT,
    demand(
      'isEmail',
      (value) => 'address' in parseEmail(value as string),
      (value) => {
        const parsed = parseEmail(value as string);
        const reason = 'reason' in parsed ? parsed.reason : '';
        return { type: 'value_error', msg: `value is not a valid email address: ${reason}`, ctx: { reason } };
      },
    ),
  ],
  schema: () => ({ type: 'string', format: 'email' }),
});
