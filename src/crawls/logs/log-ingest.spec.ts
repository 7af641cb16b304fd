import { detailsOf } from './log-ingest.js';

describe('log lines that crawlers hand over', () => {
  it.each([
    [undefined, null],
    [{}, null],
    [[1], { items: [1] }],
    ['text', { items: 'text' }],
    [{ a: 1 }, { a: 1 }],
  ])('keeps log details %j as %j', (given, kept) => expect(detailsOf(given)).toEqual(kept));
});
