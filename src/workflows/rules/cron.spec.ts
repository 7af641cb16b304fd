import { latestFiring, nextFiring, parseCron, type Cron } from './cron.js';

const cron = (text: string): Cron => {
  const parsed = parseCron(text);
  if (!parsed) throw new Error(`not a schedule: ${text}`);
  return parsed;
};
const after = (text: string, moment: string): string | null =>
  nextFiring(cron(text), new Date(moment))?.toISOString() ?? null;

describe('what is a schedule', () => {
  test.each([
    '*/15 * * * *',
    '5/15 * * * *',
    '0 8-17/2 * * MON-FRI',
    '0 0 ? * ?',
    '0 0 * * 7',
    '0 0 * * * ',
    '30 0 0 1,15 JAN-MAR *',
    '@yearly',
    '@annually',
    '@monthly',
    '@weekly',
    '@daily',
    '@midnight',
    '@hourly',
    '@every 1h30m',
    '@every 1.5h',
    '@every 90s',
  ])('%s is one', (text) => {
    expect(parseCron(text)).not.toBeNull();
  });

  test.each([
    '* * * *',
    '* * * * * * *',
    '99 * * * *',
    '60 * * * *',
    '* 24 * * *',
    '* * 0 * *',
    '* * 32 * *',
    '* * * 13 *',
    '* * * * 8',
    'JAN * * * *',
    '? * * * *',
    '1- * * * *',
    '5-1 * * * *',
    '*-5 * * * *',
    '*/0 * * * *',
    '1,,2 * * * *',
    '* * ?,1 * *',
    '* * * jan *',
    '@DAILY',
    '@daily 5m',
    '@every 5',
    '@every',
    '@every -5m',
    'hello',
    '0 0 * * *\n',
    `0 0 ${'1,'.repeat(60)}1 * *`,
  ])('%j is none', (text) => {
    expect(parseCron(text)).toBeNull();
  });
});

describe('the next firing', () => {
  test.each([
    ['*/15 * * * *', '2026-11-21T08:00:00Z', '2026-11-21T08:15:00.000Z'],
    ['*/15 * * * *', '2026-11-21T08:14:59.999Z', '2026-11-21T08:15:00.000Z'],
    ['5/15 * * * *', '2026-11-21T08:50:00Z', '2026-11-21T09:05:00.000Z'],
    ['0 8-17/2 * * MON-FRI', '2026-11-20T16:00:00Z', '2026-11-23T08:00:00.000Z'],
    ['0 0 * * 7', '2026-11-21T08:00:00Z', '2026-11-22T00:00:00.000Z'],
    ['0 0 13 * FRI', '2026-11-21T08:00:00Z', '2026-11-27T00:00:00.000Z'],
    ['0 0 31 * *', '2026-11-21T08:00:00Z', '2026-12-31T00:00:00.000Z'],
    ['0 0 29 2 *', '2097-01-01T00:00:00Z', '2104-02-29T00:00:00.000Z'],
    ['30 * * * * *', '2026-11-21T08:00:30Z', '2026-11-21T08:01:30.000Z'],
    ['@monthly', '2026-12-01T00:00:00Z', '2027-01-01T00:00:00.000Z'],
    ['@every 90s', '2026-11-21T08:00:00Z', '2026-11-21T08:01:30.000Z'],
    ['@every 1ns', '2026-11-21T08:00:00Z', '2026-11-21T08:00:01.000Z'],
  ])('of %s after %s is %s', (text, moment, expected) => {
    expect(after(text, moment)).toBe(expected);
  });

  it('is never on a day that no month has', () => {
    expect(after('0 0 30 2 *', '2026-11-21T08:00:00Z')).toBeNull();
  });

  it('of @every counts from where it began', () => {
    const began = new Date('2026-11-21T08:00:00Z');
    const next = nextFiring(cron('@every 1h'), new Date('2026-11-21T10:20:00Z'), began);
    expect(next?.toISOString()).toBe('2026-11-21T11:00:00.000Z');
  });
});

describe('what is left to do after a downtime', () => {
  test.each([
    ['* * * * *', '2026-11-14T08:00:00Z', '2026-11-21T08:00:30Z', '2026-11-21T08:00:00.000Z'],
    ['* * * * *', '2026-11-21T08:00:00Z', '2026-11-21T08:00:00Z', '2026-11-21T08:00:00.000Z'],
    ['0 0 * * 0', '2026-01-04T00:00:00Z', '2026-11-21T08:00:00Z', '2026-11-15T00:00:00.000Z'],
    ['@yearly', '2026-01-01T00:00:00Z', '2026-11-21T08:00:00Z', '2026-01-01T00:00:00.000Z'],
    ['@every 7m', '2026-11-21T08:00:00Z', '2026-11-21T09:00:00Z', '2026-11-21T08:56:00.000Z'],
  ])('of %s due at %s is, at %s, the firing of %s', (text, due, now, expected) => {
    expect(latestFiring(cron(text), new Date(due), new Date(now)).toISOString()).toBe(expected);
  });
});
