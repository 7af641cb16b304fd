import { importedDocument, type ImportRules } from './imported-documents.js';

const rules: ImportRules = {
  oid: '11111111-1111-4111-8111-111111111111',
  userIds: new Map(),
  storageName: 'here',
  isKnown: () => true,
  windowsPerInstance: 2,
  maxBrowserWindows: 8,
};
const run = (started: string, state: string) => ({
  started,
  state,
  files: [{ filename: 'a.wacz', presignedUrl: 'https://there/a.wacz', storage: { name: 'there', custom: true } }],
});

describe('an imported crawl', () => {
  it('has the files of its QA runs here, and what lists sort by', () => {
    const qaFinished = {
      'qa-1': run('2026-11-02T10:00:00Z', 'failed'),
      'qa-2': run('2026-11-01T10:00:00Z', 'complete'),
    };
    const doc = importedDocument('items', { _id: 'x', type: 'crawl', qa: null, qaFinished }, rules);
    expect(doc).toMatchObject({ qaRunCount: 2, lastQAState: 'failed', lastQAStarted: '2026-11-02T10:00:00Z' });
    const files = [{ filename: 'a.wacz', storage: { name: 'here', custom: false } }];
    expect(doc?.['qaFinished']).toEqual({
      'qa-1': { ...qaFinished['qa-1'], files },
      'qa-2': { ...qaFinished['qa-2'], files },
    });
  });

  it('without QA runs sorts as one that has none', () => {
    const doc = importedDocument('items', { _id: 'x', type: 'crawl' }, rules);
    expect(doc).toMatchObject({ qaRunCount: 0, lastQAState: null, lastQAStarted: null });
    expect(doc).not.toHaveProperty('qaFinished');
  });
});
