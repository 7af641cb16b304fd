import { headOf } from './public-head.js';

const ADDRESS = 'https://archive.example.org/explore/org/collections/name';

describe('headOf', () => {
  it('tells title, summary, address and picture', () => {
    const head = headOf({ title: 'News · Org', description: 'All of it.', image: 'https://a.example/pic' }, ADDRESS);
    expect(head).toContain('<title>News · Org</title>');
    expect(head).toContain('<meta name="description" content="All of it." />');
    expect(head).toContain('<meta property="og:title" content="News · Org" />');
    expect(head).toContain(`<meta property="og:url" content="${ADDRESS}" />`);
    expect(head).toContain('<meta property="og:image" content="https://a.example/pic" />');
  });

  it('leaves out what there is not', () => {
    const head = headOf({ title: 'News', description: '', image: null }, ADDRESS);
    expect(head).not.toMatch(/description|og:image/);
  });

  it.each(['</title><script>alert(1)</script>', '"><script>alert(1)</script>', "' onload='alert(1)", '<!-- -->'])(
    'writes %s as text',
    (hostile) => {
      const head = headOf({ title: hostile, description: hostile, image: null }, ADDRESS);
      const texts = head.replace(/<\/?(?:title|meta)\b/g, '').replace(/ \/?>/g, '');
      expect(head).not.toContain('<script');
      expect(head.match(/<[^m/t]/g)).toBeNull();
      expect(texts).not.toContain(hostile);
    },
  );

  it('cuts a long summary', () => {
    const head = headOf({ title: 'News', description: 'x'.repeat(5000), image: null }, ADDRESS);
    expect(head.length).toBeLessThan(1200);
  });
});
