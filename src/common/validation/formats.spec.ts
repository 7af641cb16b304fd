import { dateTime, email, httpUrl, itemId, uuid } from './formats.js';
import { wireTime } from './date-time.js';
import { converted, faultsOf, type Kind } from './kind.js';

/** The value that is read, or the type of what is wrong with it. */
const reading = (kind: Kind<unknown>, sent: unknown): unknown => {
  const value = converted(kind, sent);
  return faultsOf(kind, value)[0]?.type ?? value;
};
const ID = '0e138ad6-b8c4-4ac4-8b8b-123456789abc';

describe('UUIDs', () => {
  it.each([[ID], [ID.toUpperCase()], [ID.replaceAll('-', '')], [`{${ID}}`], [`urn:uuid:${ID}`]])('reads %s', (given) =>
    expect(reading(uuid(), given)).toBe(ID),
  );

  it.each([['not-a-uuid'], [`${ID}0`], ['']])('refuses %p', (given) =>
    expect(reading(uuid(), given)).toBe('uuid_parsing'),
  );
});

describe('item ids', () => {
  it.each([['manual-20261121054215-0e138ad6-b8c'], ['sched-0e138ad6-b8c-29727942'], [`upload-${ID}`], [ID]])(
    'accepts %s',
    (given) => expect(reading(itemId(), given)).toBe(given),
  );

  it.each([['crawl-1'], ['manual-../x'], [''], ['qa-']])('refuses %p', (given) =>
    expect(reading(itemId(), given)).toBe('uuid_parsing'),
  );
});

describe('datetimes', () => {
  it.each([
    ['2026-08-01T01:02:03Z', '2026-08-01T01:02:03Z'],
    ['2026-08-01T01:02:03', '2026-08-01T01:02:03Z'],
    ['2026-08-01 03:02:03+02:00', '2026-08-01T01:02:03Z'],
    ['2026-08-01', '2026-08-01T00:00:00Z'],
    ['2026-08-01T01:02:03.123456Z', '2026-08-01T01:02:03.123000Z'],
    [1_785_546_123, '2026-08-01T01:02:03Z'],
    ['1785546123', '2026-08-01T01:02:03Z'],
    [1_785_546_123_000, '2026-08-01T01:02:03Z'],
  ])('reads %p as %s', (given, expected) => {
    expect(wireTime(reading(dateTime(), given) as Date)).toBe(expected);
  });

  it.each([['2026-02-30'], ['yesterday'], [''], [null], [{}]])('refuses %p', (given) =>
    expect(reading(dateTime(), given)).toBe('datetime_from_date_parsing'),
  );
});

describe('URLs', () => {
  it.each([
    ['https://EXAMPLE.com', 'https://example.com/'],
    [' http://example.com:80/a/../b ', 'http://example.com/b'],
    ['https://bücher.example/ä?q=ö#f', 'https://xn--bcher-kva.example/%C3%A4?q=%C3%B6#f'],
  ])('normalises %p', (given, expected) => expect(reading(httpUrl(), given)).toBe(expected));

  it.each([
    ['ftp://example.com', 'url_scheme'],
    ['javascript:alert(1)', 'url_scheme'],
    ['example.com', 'url_parsing'],
    ['', 'url_parsing'],
    [5, 'url_type'],
  ])('refuses %p as %s', (given, expected) => expect(reading(httpUrl(), given)).toBe(expected));
});

describe('emails', () => {
  it.each([
    ['User@Example.COM', 'user@example.com'],
    ['  A Name <a.b+c@example.org> ', 'a.b+c@example.org'],
    ['jürgen@bücher.de', 'jürgen@bücher.de'],
    ['x@xn--bcher-kva.de', 'x@bücher.de'],
    ['é@é.com', 'é@é.com'],
    ['E\u0301@xn--9ca.com', 'é@é.com'],
    ['50%off@example.com', '50%off@example.com'],
  ])('reads %p as %p', (given, expected) => expect(reading(email(), given)).toBe(expected));

  it.each([
    ['soft\u00adhyphen@example.com'],
    ['zero\u200bwidth@example.com'],
    ['\u0301mark@example.com'],
    ['plain'],
    ['@example.com'],
    ['a@b'],
    ['a..b@example.com'],
    ['.a@example.com'],
    ['a b@example.com'],
    ['"q"@example.com'],
    ['a@example.test'],
    ['a@localhost'],
    ['a@ex_ample.com'],
    ['a@127.0.0.1'],
    [''],
  ])('refuses %p', (given) => expect(reading(email(), given)).toBe('value_error'));
});
