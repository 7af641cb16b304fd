import type { CrawlFileOut } from '../../items/dto/items.dto.js';

/** What events are about in examples and tests: nothing that there is. */
export const EXAMPLE = {
  orgId: '0a0a0a0a-0000-4000-8000-000000000001',
  itemId: 'manual-20260102030405-0f0f0f0f-0f0',
  qaRunId: 'qa-20260102040506-0f0f0f0f-0f0',
  collectionId: '0c0c0c0c-0000-4000-8000-000000000001',
  downloadUrl:
    'https://archive.example/api/orgs/0a0a0a0a-0000-4000-8000-000000000001/collections/0c0c0c0c-0000-4000-8000-000000000001/download',
} as const;

export const exampleFile = (name: string): CrawlFileOut => ({
  name,
  path: `https://archive.example/data/${name}?signature=…`,
  hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  size: 1_234_567,
  crawlId: EXAMPLE.itemId,
  numReplicas: 0,
  expireAt: '2026-01-09T03:04:05Z',
  fromDependency: false,
});
