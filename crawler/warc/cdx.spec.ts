import { getSurt, postToGetUrl } from 'warcio/utils';
import { cdxKey, cdxjLine, cdxTimestamp, type RequestInfo } from './cdx.js';

const request = (given: Partial<RequestInfo>): RequestInfo => ({
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
  const ts = cdxTimestamp('2026-11-21T06:44:56.283Z');
  expect(cdxjLine({ key: 'test,a)/', ts, fields })).toBe(`test,a)/ 20261121064456283 ${JSON.stringify(fields)}`);
});
