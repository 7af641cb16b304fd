import { Follower } from './follower.js';
import type { OrgChange } from '../data/org-change.facts.js';

const changeOf = (id: string, at: bigint, state: string): OrgChange => ({
  kind: 'item',
  oid: 'o',
  at,
  data: { id, state },
});

describe('a client that follows an org', () => {
  it('is given the newest of each document, in the order of the database', async () => {
    const follower = new Follower('o', 10);
    follower.tell(changeOf('a', 1n, 'starting'));
    follower.tell(changeOf('b', 2n, 'running'));
    follower.tell(changeOf('a', 3n, 'running'));
    expect(await follower.next(0)).toEqual([changeOf('b', 2n, 'running'), changeOf('a', 3n, 'running')]);
    expect(await follower.next(0)).toEqual([]);
  });

  it('is told to ask anew when it has read too slowly', async () => {
    const follower = new Follower('o', 10);
    for (let n = 0; n < 10_000; n++) follower.tell(changeOf(String(n), BigInt(n), 'running'));
    const changes = await follower.next(0);
    expect(changes.length).toBeLessThanOrEqual(500);
    expect(changes[0]?.kind).toBe('everything');
  });

  it('waits for what comes, and for nothing after its end', async () => {
    const follower = new Follower('o', 10);
    const next = follower.next(60_000);
    follower.tell(changeOf('a', 1n, 'running'));
    expect(await next).toHaveLength(1);
    const last = follower.next(60_000);
    follower.end();
    expect(await last).toEqual([]);
    expect(await follower.next(60_000)).toEqual([]);
  });
});
