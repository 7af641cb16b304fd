import { readBodyLine } from './body-line.js';

const HEX = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
const BASE32 = 'XJ4BNP4PAHH6UQKBIDPF3LRCEOYAGYNDSYLXVHFUCD7WD4QACWWQ====';
const line = (fields: object): string =>
  `com,example)/ 20260101000000 ${JSON.stringify({ url: 'https://example.com/', digest: `sha256:${HEX}`, ...fields })}`;

it('reads the digests of all records of the web, of any status, size and hash', () => {
  const digest = Buffer.from(HEX, 'hex').subarray(0, 16);
  const url = 'https://example.com/';
  expect(readBodyLine(line({ status: '404', length: '90' }))).toEqual({ isRevisit: false, digest, url });
  expect(readBodyLine(line({ mime: 'warc/revisit' }))).toEqual({ isRevisit: true, digest, url });
  expect(readBodyLine(line({ digest: `sha-256:${BASE32}` }))?.digest).toEqual(digest);
  const sha1 = readBodyLine(line({ digest: 'sha1:ABCDEFGHIJKLMNOPQRSTUVWXYZ234567' }))?.digest;
  expect([sha1?.length, sha1?.equals(digest)]).toEqual([16, false]);
});

it('passes over texts of pages, lines without a digest, and what is no line', () => {
  expect(readBodyLine(line({ url: 'urn:text:https://example.com/' }))).toBeNull();
  expect(readBodyLine(line({ digest: undefined }))).toBeNull();
  expect(readBodyLine('!meta 0 {"format": "cdxj-gzip-1.0"}')).toBeNull();
  expect(readBodyLine('')).toBeNull();
});
