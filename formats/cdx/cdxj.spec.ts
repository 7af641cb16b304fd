import { getSurt, postToGetUrl } from 'warcio/utils';
import { cdxKey, cdxjLine, compactTimestamp, parseCdxjLine, urlKey, type IndexedRequest } from './cdxj.js';

const request = (given: Partial<IndexedRequest>): IndexedRequest => ({
  method: 'GET',
  url: 'https://example.com/api?x=1',
  headers: new Map(),
  body: null,
  ...given,
});

describe('index keys', () => {
  it('of a GET is its SURT, of a record about a page the URN itself', () => {
    expect(cdxKey(request({}))).toEqual({ key: 'com,example)/api?x=1' });
    expect(cdxKey(request({ url: 'urn:text:https://Example.com/#x' }))).toEqual({
      key: 'urn:text:https://Example.com/#x',
    });
  });

  it.each([
    ['application/json', '{"q":"hello","n":1}'],
    ['application/x-www-form-urlencoded', 'a=1&b=two'],
    ['text/plain', 'free text'],
    ['application/octet-stream', '\u0000\u0001binary'],
    ['multipart/form-data; boundary=XX', '--XX\r\nContent-Disposition: form-data; name="f"\r\n\r\nv\r\n--XX--\r\n'],
  ])('of a POST of %s is the one replay looks up', (type, text) => {
    const headers = new Map([['content-type', type]]);
    const body = Buffer.from(text);
    const theirs = {
      method: 'POST',
      url: 'https://example.com/api',
      headers: new Map(headers),
      postData: body,
      requestBody: '',
    };
    expect(postToGetUrl(theirs)).toBe(true);
    expect(cdxKey(request({ method: 'POST', url: 'https://example.com/api', headers, body }))).toEqual({
      key: getSurt(theirs.url),
      method: 'POST',
      requestBody: theirs.requestBody,
    });
  });
});

it('a line holds key, 17-digit time and the fields', () => {
  const fields = { url: 'https://a.test/', digest: 'sha256:00', length: '1', offset: '0', filename: 'f' };
  const ts = compactTimestamp('2026-11-21T06:44:56.283Z');
  const line = cdxjLine({ key: 'test,a)/', ts, fields });
  expect(line).toBe(`test,a)/ 20261121064456283 ${JSON.stringify(fields)}`);
  expect(parseCdxjLine(line)).toEqual({ key: 'test,a)/', ts, fields });
});

it('a key never holds a space, where a line of the index would end it', () => {
  for (const url of ['urn:text:https://a.test/#x y', 'https://a.test/a b', 'data:text/plain,a\tb'])
    expect(urlKey(url)).not.toMatch(/\s/);
  const withSpace = 'urn:text:https://a.test/#x y 2026 {"filename":"f"}';
  expect(parseCdxjLine(withSpace)).toEqual({
    key: 'urn:text:https://a.test/#x y',
    ts: '2026',
    fields: { filename: 'f' },
  });
});

it.each(['', 'test,a)/ 2026', 'test,a)/ 2026 {', '!meta 0 nothing'])('%j is no line of an index', (line) =>
  expect(parseCdxjLine(line)).toBeNull(),
);
