import type { OrgChange } from '../data/org-change.facts.js';
import { RecentChanges } from './recent-changes.js';

const changeAt = (at: bigint, oid = 'o'): OrgChange => ({ kind: 'item', oid, at, data: {} });
const all = () => true;

describe('the latest changes', () => {
  it('are given from a moment on, those of the moment itself too', () => {
    const recent = new RecentChanges(10);
    recent.beginAt(5n);
    for (const at of [6n, 7n, 7n, 8n]) recent.add(changeAt(at));
    expect(recent.since(7n, all)?.map(({ at }) => at)).toEqual([7n, 7n, 8n]);
    expect(recent.since(5n, all)).toHaveLength(4);
    expect(recent.since(9n, all)).toEqual([]);
    expect(recent.latest).toBe(8n);
  });

  it('are not known from before the beginning, nor where some were dropped', () => {
    const recent = new RecentChanges(2);
    recent.beginAt(5n);
    expect(recent.since(4n, all)).toBeNull();
    for (const at of [6n, 7n, 7n]) recent.add(changeAt(at));
    expect(recent.since(6n, all)).toBeNull();
    expect(recent.since(7n, all)).toHaveLength(2);
    recent.add(changeAt(8n));
    expect(recent.since(7n, all)).toBeNull();
    recent.beginAt(20n);
    expect(recent.since(8n, all)).toBeNull();
    expect(recent.latest).toBe(20n);
  });

  it('are given of one org alone', () => {
    const recent = new RecentChanges(10);
    recent.add(changeAt(1n, 'mine'));
    recent.add(changeAt(2n, 'yours'));
    expect(recent.since(0n, ({ oid }) => oid === 'mine')).toHaveLength(1);
  });
});
