import { opensReplay, type ReplayScope } from './replay-scope.js';

const oid = '11111111-1111-4111-8111-111111111111';
const other = '22222222-2222-4222-8222-222222222222';
const item: ReplayScope = { oid, kind: 'item', id: 'manual-1' };
const collection: ReplayScope = { oid, kind: 'collection', id: other };

describe('a replay token', () => {
  it.each<[ReplayScope, string]>([
    [item, `/api/orgs/${oid}/all-crawls/manual-1/replay.json`],
    [item, `/api/orgs/${oid}/crawls/manual-1/pages`],
    [item, `/api/orgs/${oid}/crawls/manual-1/pagesSearch`],
    [item, `/api/orgs/${oid}/uploads/manual-1/replay.json`],
    [item, `/api/orgs/${oid}/crawls/manual-1/qa/qa-1/replay.json`],
    [collection, `/api/orgs/${oid}/collections/${other}/replay.json`],
    [collection, `/api/orgs/${oid}/collections/${other}/pages`],
  ])('of %j opens %s', (scope, path) => {
    expect(opensReplay(scope, { method: 'GET', path })).toBe(true);
    expect(opensReplay(scope, { method: 'HEAD', path })).toBe(true);
    expect(opensReplay(scope, { method: 'POST', path })).toBe(false);
    expect(opensReplay(scope, { method: 'PATCH', path })).toBe(false);
  });

  it.each([
    `/api/orgs/${oid}/all-crawls/manual-2/replay.json`,
    `/api/orgs/${other}/all-crawls/manual-1/replay.json`,
    `/api/orgs/${oid}/all-crawls/manual-1`,
    `/api/orgs/${oid}/all-crawls/manual-1/download`,
    `/api/orgs/${oid}/all-crawls/manual-1/replay.json/`,
    `/api/orgs/${oid}/all-crawls/manual-1/pages/x`,
    `/api/orgs/${oid}/all-crawls/manual-1/../../../users/me`,
    `/api/orgs/${oid}/collections/manual-1/replay.json`,
    `/api/orgs/${oid}/crawls/manual-2/qa/qa-1/replay.json`,
    `/api/orgs/${oid}/crawls/manual-1/qa/qa-1/pages`,
    `/api/orgs/${oid}/crawls/manual-1/qa/qa-1/download`,
    `/api/orgs/${oid}/all-crawls/manual-1/qa/qa-1/replay.json`,
    `/api/orgs/${oid}/crawls/manual-1/logs/qa-1/replay.json`,
    `/api/orgs/${oid}/all-crawls`,
    `/api/orgs/${oid}`,
    '/api/users/me',
    `/x/api/orgs/${oid}/all-crawls/manual-1/replay.json`,
    '',
  ])('opens nothing else: %s', (path) => {
    expect(opensReplay(item, { method: 'GET', path })).toBe(false);
  });
});
