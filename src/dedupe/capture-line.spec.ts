import { createHash } from 'node:crypto';
import { readCaptureLine, sha256Of } from './capture-line.js';

const HEX = createHash('sha256').update('a body').digest('hex');
const line = (fields: object, ts = '20261101120000123', key = 'com,example)/'): string =>
  `${key} ${ts} ${JSON.stringify({ url: 'https://example.com/', mime: 'text/html', status: '200', digest: `sha256:${HEX}`, length: '5000', ...fields })}`;

describe('a line of an index', () => {
  it('is an original with its digest, time and size', () => {
    expect(readCaptureLine(line({}))).toEqual({
      kind: 'original',
      digest: Buffer.from(HEX, 'hex'),
      url: 'https://example.com/',
      date: new Date('2026-11-01T12:00:00.123Z'),
      size: 5000,
    });
    expect(readCaptureLine(line({ status: 200, length: 1000 }, '20261101120000'))).toMatchObject({
      kind: 'original',
      date: new Date('2026-11-01T12:00:00Z'),
      size: 1000,
    });
  });

  it.each([
    ['revisit', line({ mime: 'warc/revisit', length: '300' })],
    ['other', line({ status: '304' })],
    ['other', line({ length: '999' })],
    ['other', line({ method: 'POST' })],
    ['other', line({}, '20261101120000', 'com,example)/?__wb_method=post&a=b')],
    ['other', line({ digest: 'sha1:B2LTWWPUOYAH7UIPQ7ZUPQ4VMBSVC36A' })],
    ['other', line({ digest: undefined })],
  ])('is a %s', (kind, text) => {
    expect(readCaptureLine(text)?.kind).toBe(kind);
  });

  it.each([
    '',
    'no line',
    '!meta 0 {"format":"cdxj-gzip-1.0","filename":"index.cdx.gz"}',
    line({ url: 'urn:text:https://example.com/' }),
    line({ url: 5 }),
    line({ length: 'many' }),
    line({ length: '-1' }),
    line({}, '2026'),
    line({}, '20269901120000'),
    'com,example)/ 20261101120000 {broken',
  ])('is no capture of the web: %s', (text) => {
    expect(readCaptureLine(text)).toBeNull();
  });
});

describe('a digest', () => {
  it('is read in hex and in base 32, with either name', () => {
    const base32 = 'MFRGG===';
    expect(sha256Of(`sha-256:${HEX.toUpperCase()}`)).toEqual(Buffer.from(HEX, 'hex'));
    expect(sha256Of(`sha256:${base32}`)).toBeNull();
    // SHA-256 of nothing.
    expect(sha256Of('sha256:4OYMIQUY7QOBJGX36TEJS35ZEQT24QPEMSNZGTFESWMRW6CSXBKQ====')?.toString('hex')).toBe(
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    );
    for (const other of ['', 'sha1:abc', 'sha256:', `md5:${HEX}`]) expect(sha256Of(other)).toBeNull();
  });
});
