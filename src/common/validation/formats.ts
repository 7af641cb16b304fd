import { parseUrl } from '../text/parse-url.js';
import { accept, refuse, type Parsed } from './issue.js';
import type { FieldType } from './field-type.js';
import { canonicalUuid } from '../ids/uuid.js';
import { BROWSER_ID } from '../ids/browser-id.js';
import { canonicalItemId } from '../ids/item-id.js';
import { parseDateTime } from './date-time.js';
import { parseEmail } from './email.js';
import { str } from './scalars.js';

function refuseUuid(value: unknown): Parsed<never> {
  if (typeof value !== 'string')
    return refuse('uuid_type', 'UUID input should be a string, bytes or UUID object', value);
  const error = `invalid length: expected length 32 for simple format, found ${value.length}`;
  return refuse('uuid_parsing', `Input should be a valid UUID, ${error}`, value, { error });
}

/** A UUID in any accepted spelling; read as the canonical lower-case hyphenated string. */
export function uuid(): FieldType<string> {
  return {
    parse: (value) => {
      const id = typeof value === 'string' ? canonicalUuid(value) : null;
      return id === null ? refuseUuid(value) : accept(id);
    },
    schema: () => ({ type: 'string', format: 'uuid' }),
  };
}

/** Id of a crawl, upload or QA run (crawling §1.4). The contract declares these as plain strings. */
export function itemId(): FieldType<string> {
  return {
    parse: (value) => {
      const id = typeof value === 'string' ? canonicalItemId(value) : null;
      return id === null ? refuseUuid(value) : accept(id);
    },
    schema: () => ({ type: 'string' }),
  };
}

/** Id of a profile browser (archive §8). The contract declares it as a plain string. */
export function browserId(): FieldType<string> {
  return { ...str({ pattern: BROWSER_ID }), schema: () => ({ type: 'string' }) };
}

/** ISO 8601, date only, or epoch seconds/milliseconds; a naive time is UTC. */
export function dateTime(): FieldType<Date> {
  return {
    parse: (value) => {
      const date = parseDateTime(value);
      return date
        ? accept(date)
        : refuse('datetime_from_date_parsing', 'Input should be a valid datetime or date, invalid input', value, {
            error: 'invalid input',
          });
    },
    schema: () => ({ type: 'string', format: 'date-time' }),
  };
}

const HTTP_SCHEMES = "'http' or 'https'";

/** The WHATWG serialisation of an absolute http or https URL; anything else is refused. */
export function httpUrl(rules: { max?: number } = {}): FieldType<string> {
  return {
    parse: (value) => {
      if (typeof value !== 'string') return refuse('url_type', 'URL input should be a string or URL', value);
      if (rules.max !== undefined && value.length > rules.max)
        return refuse('url_too_long', `URL should have at most ${rules.max} characters`, value, {
          max_length: rules.max,
        });
      const text = value.trim();
      const url = parseUrl(text);
      if (!url) {
        const error = text === '' ? 'input is empty' : 'relative URL without a base';
        return refuse('url_parsing', `Input should be a valid URL, ${error}`, value, { error });
      }
      if (url.protocol !== 'http:' && url.protocol !== 'https:')
        return refuse('url_scheme', `URL scheme should be ${HTTP_SCHEMES}`, value, { expected_schemes: HTTP_SCHEMES });
      return accept(url.href);
    },
    schema: () => ({
      type: 'string',
      format: 'uri',
      ...(rules.max === undefined ? {} : { maxLength: rules.max, minLength: 1 }),
    }),
  };
}

/** As `httpUrl`, where the contract declares a plain string. */
export const httpUrlText = (): FieldType<string> => ({ ...httpUrl(), schema: () => ({ type: 'string' }) });

/** An email address, reduced to its lower-case address part (accounts §1.4). */
export function email(): FieldType<string> {
  return {
    parse: (value) => {
      if (typeof value !== 'string') return refuse('string_type', 'Input should be a valid string', value);
      const parsed = parseEmail(value);
      return 'address' in parsed
        ? accept(parsed.address)
        : refuse('value_error', `value is not a valid email address: ${parsed.reason}`, value, {
            reason: parsed.reason,
          });
    },
    schema: () => ({ type: 'string', format: 'email' }),
  };
}
