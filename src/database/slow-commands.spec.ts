import { shapeOf } from './slow-commands.js';

describe('a slow command', () => {
  it('is told by the names of what it asks, without a value', () => {
    const filter = { oid: 'an id', tags: { $in: ['secret'] }, $or: [{ name: /x/ }, { 'a.b': { $gt: 3 } }] };
    expect(shapeOf('find', { find: 'crawls', filter, sort: { started: -1 } })).toEqual({
      collection: 'crawls',
      shape: ['oid', 'tags.$in', '$or.name', '$or.a.b.$gt'],
      sort: ['started'],
    });
  });

  it('may be a pipeline, a change or the next part of a list', () => {
    const pipeline = [{ $match: { oid: 1 } }, { $sort: { size: -1 } }, { $limit: 5 }];
    expect(shapeOf('aggregate', { aggregate: 'pages', pipeline }).shape).toEqual([
      '$match.oid',
      '$sort.size',
      '$limit',
    ]);
    const updates = [{ q: { _id: 'x', state: 'running' }, u: { $set: { state: 'done' } } }];
    expect(shapeOf('update', { update: 'crawls', updates })).toEqual({ collection: 'crawls', shape: ['_id', 'state'] });
    expect(shapeOf('getMore', { getMore: 5n, collection: 'pages' })).toEqual({ collection: 'pages', shape: [] });
    expect(shapeOf('hello', { hello: 1 })).toEqual({ collection: null, shape: [] });
  });

  it('is told in a line of bounded length', () => {
    const filter = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`field${String(n)}`, n]));
    expect(shapeOf('find', { find: 'crawls', filter }).shape).toHaveLength(20);
  });
});
