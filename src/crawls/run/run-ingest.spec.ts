import { keyOf } from './run-ingest.js';

describe('files that crawlers hand over', () => {
  it('names files by key or by full URL', () => {
    expect(keyOf('o1/x.wacz', 'o1')).toBe('o1/x.wacz');
    expect(keyOf('http://s3:9000/bucket/o1/qa/x.wacz', 'o1')).toBe('o1/qa/x.wacz');
  });
});
