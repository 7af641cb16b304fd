import { Transform } from 'class-transformer';
import { IsBoolean, IsInt, IsString, Max, Min, ValidateBy } from 'class-validator';
import { CronExpressionParser } from 'cron-parser';
import { quantityBytes, quantityMillis } from '../common/units/quantity.js';
import { parseEmail } from '../common/validation/email.js';
import { isAddressRange } from '../../formats/address/address-policy.js';

const TRUE_WORDS = new Set(['true', '1', 'yes', 'on']);

/** `true, 1, yes, on` in any case are true, everything else false (accounts §16). */
export const Flag = (): PropertyDecorator => (target, key) => {
  Transform(({ value }) => (typeof value === 'string' ? TRUE_WORDS.has(value.trim().toLowerCase()) : value))(
    target,
    key,
  );
  IsBoolean()(target, key);
};

/** A whole number. */
export const Whole =
  (min: number, max = Number.MAX_SAFE_INTEGER): PropertyDecorator =>
  (target, key) => {
    Transform(({ value }) => (typeof value === 'string' && value.trim() !== '' ? Number(value) : value))(target, key);
    IsInt()(target, key);
    Min(min)(target, key);
    Max(max)(target, key);
  };

export const Text = (): PropertyDecorator => IsString();

/** A comma list of some of these. */
export const WordsOf = (words: readonly string[]): PropertyDecorator =>
  ValidateBy({
    name: 'wordsOf',
    validator: {
      validate: (value: unknown) =>
        typeof value === 'string' &&
        value.split(',').every((word) => word.trim() === '' || words.includes(word.trim())),
      defaultMessage: () => `must be a comma list of: ${words.join(', ')}`,
    },
  });

/** A comma list of addresses and networks. */
export const AddressRanges = (): PropertyDecorator =>
  ValidateBy({
    name: 'addressRanges',
    validator: {
      validate: (value: unknown) =>
        typeof value === 'string' &&
        value.split(',').every((range) => range.trim() === '' || isAddressRange(range.trim())),
      defaultMessage: () => 'must be a comma list of addresses and ranges, such as 10.1.0.0/16',
    },
  });

/** Kept in the form in which accounts are looked up (accounts §1.4). */
export const EmailAddress = (): PropertyDecorator => (target, key) => {
  Transform(({ value }) => {
    const parsed = parseEmail(String(value));
    return 'address' in parsed ? parsed.address : value;
  })(target, key);
  ValidateBy({
    name: 'emailAddress',
    validator: {
      validate: (value: unknown) => value === '' || 'address' in parseEmail(String(value)),
      defaultMessage: () => 'must be an email address such as admin@example.org',
    },
  })(target, key);
};

/** Scheme and host of an address. */
export const Origin = (): PropertyDecorator =>
  ValidateBy({
    name: 'origin',
    validator: {
      validate: (value: unknown) =>
        value === '' || (URL.canParse(String(value)) && /^https?:\/\/[^/]+\/?$/.test(String(value))),
      defaultMessage: () => 'must be scheme and host, such as https://replay.example.org',
    },
  });

/** Protocol, host and port of a receiver of syslog. */
export const SyslogUrl = (): PropertyDecorator =>
  ValidateBy({
    name: 'syslogUrl',
    validator: {
      validate: (value: unknown) =>
        value === '' || (URL.canParse(String(value)) && /^(?:tcp|tls|udp):\/\/[^/?#@]+\/?$/.test(String(value))),
      defaultMessage: () => 'must be protocol, host and port, such as tls://logs.example.org:6514',
    },
  });

const Quantity = (valueOf: (text: string) => number, example: string): PropertyDecorator =>
  ValidateBy({
    name: 'quantity',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && valueOf(value) > 0,
      defaultMessage: () => `must be an amount such as ${example}`,
    },
  });
/** Processors, and bytes, as Kubernetes writes them. */
export const Cores = (): PropertyDecorator => Quantity(quantityMillis, '900m');
export const Size = (): PropertyDecorator => Quantity(quantityBytes, '1024Mi');

/** A cron expression, or nothing. */
export const Cron = (): PropertyDecorator =>
  ValidateBy({
    name: 'cron',
    validator: {
      validate: (value: unknown) => value === '' || isCron(String(value)),
      defaultMessage: () => 'must be a cron expression such as 30 2 * * *',
    },
  });

/** Three numbers, as `countsOf` reads them. */
export const Counts = (): PropertyDecorator =>
  ValidateBy({
    name: 'counts',
    validator: {
      validate: (value: unknown) => /^\d{1,4}\/\d{1,4}\/\d{1,4}$/.test(String(value)),
      defaultMessage: () => 'must be numbers of days, weeks and months, such as 7/4/12',
    },
  });

function isCron(text: string): boolean {
  try {
    CronExpressionParser.parse(text);
    return true;
  } catch {
    return false;
  }
}
