import { parseUrl } from './parse-url.js';

describe('reading URLs', () => {
  it('goes on reading non-ASCII ones after many calls', () => {
    let read = 0;
    for (let i = 0; i < 20_000; i++)
      if (parseUrl('https://bücher.example/ä?q=ö')?.hostname === 'xn--bcher-kva.example') read++;
    expect(read).toBe(20_000);
  });

  it.each(['', 'example.com', 'http://'])('answers null to %p', (text) => expect(parseUrl(text)).toBeNull());

  it('resolves against a base', () => expect(parseUrl('/a', 'http://h/b')?.href).toBe('http://h/a'));
});
