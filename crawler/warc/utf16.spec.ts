import { withoutUtf16 } from './utf16.js';

const TEXT = '<p>Grüße, 世界 😀</p>';
const swapped = (text: string) => Buffer.from(text, 'utf16le').swap16();

describe('text in UTF-16', () => {
  it.each([
    ['by its mark', 'text/html', Buffer.from(`\ufeff${TEXT}`, 'utf16le'), `\ufeff${TEXT}`],
    ['by its mark, whatever its header says', 'text/html; charset=utf-8', swapped(`\ufeff${TEXT}`), `\ufeff${TEXT}`],
    ['by its header', 'text/css; charset=UTF-16BE', swapped(TEXT), TEXT],
    ['by its header, without an order', 'text/javascript; charset="utf-16"', Buffer.from(TEXT, 'utf16le'), TEXT],
  ])('%s is recorded as UTF-8, from which it can be had again', (_how, type, bytes, text) => {
    const recorded = withoutUtf16(
      [
        ['Content-Type', type],
        ['ETag', '1'],
      ],
      bytes,
    );
    expect(recorded.bytes.toString('utf8')).toBe(text);
    expect(recorded.headers).toEqual([
      ['Content-Type', `${type.split(';')[0]}; charset=utf-8`],
      ['x-orig-Content-Type', type],
      ['ETag', '1'],
    ]);
  });

  it.each([
    ['other text', 'text/html; charset=utf-8', Buffer.from(TEXT)],
    ['what replay leaves alone', 'image/svg+xml; charset=utf-16', Buffer.from(TEXT, 'utf16le')],
    ['what is not well-formed', 'text/html; charset=utf-16le', Buffer.from([0x00, 0xd8, 0x41, 0x00])],
  ])('%s stays as it came', (_what, type, bytes) => {
    const headers = [['content-type', type]] as const;
    expect(withoutUtf16(headers, bytes)).toEqual({ headers, bytes });
  });
});
