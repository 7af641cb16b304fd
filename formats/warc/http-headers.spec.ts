import { ascii, headerValue, httpHead, mimeOf, recordedHeaders } from './http-headers.js';

describe('recorded headers', () => {
  it('describe the decoded body and keep what described the bytes on the wire', () => {
    const given = [
      ['Content-Type', 'text/html'],
      ['Content-Encoding', 'gzip'],
      ['Transfer-Encoding', 'chunked'],
      ['Content-Length', '10'],
    ] as const;
    expect(recordedHeaders(given, 25)).toEqual([
      ['Content-Type', 'text/html'],
      ['x-orig-Content-Encoding', 'gzip'],
      ['x-orig-Transfer-Encoding', 'chunked'],
      ['x-orig-Content-Length', '10'],
      ['Content-Length', '25'],
    ]);
  });

  it('keep a content-length that still holds', () => {
    expect(recordedHeaders([['content-length', '5']], 5)).toEqual([['content-length', '5']]);
  });

  it('repeat what DevTools joined with a newline, and drop pseudo headers', () => {
    expect(
      recordedHeaders(
        [
          [':status', '200'],
          ['set-cookie', 'a=1\nb=2'],
        ],
        null,
      ),
    ).toEqual([
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
    ]);
  });
});

describe('header bytes', () => {
  it('are ASCII on one line each', () => {
    expect(ascii('a\r\nInjected: 1')).toBe('a Injected: 1');
    expect(ascii('café')).toBe('caf%C3%A9');
    expect(ascii('\ud800')).toBe('%EF%BF%BD');
    expect(
      httpHead('HTTP/1.1 200 OK', [
        ['X', 'ü'],
        [':path', '/'],
      ]).toString('latin1'),
    ).toBe('HTTP/1.1 200 OK\r\nX: %C3%BC\r\n\r\n');
  });

  it('names are found in any case, media types without parameters', () => {
    expect(headerValue([['Content-TYPE', 'x']], 'content-type')).toBe('x');
    expect([mimeOf('Text/HTML; charset=utf-8'), mimeOf(undefined)]).toEqual(['text/html', '']);
  });
});
