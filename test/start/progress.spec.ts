import { loadScript } from './load.js';

const { progressText } = await loadScript<{
  progressText: (counts: { state: string; found: number; done: number; sizeBytes: number }) => string;
}>('up/progress.mjs');

describe('the progress line of a crawl', () => {
  it('shows pages done of found, bytes and state', () => {
    expect(progressText({ state: 'running', found: 12, done: 6, sizeBytes: 1_440_000 })).toBe(
      '[############------------] 6/12 pages  1.4 MB  running',
    );
  });

  it('is empty while nothing is found', () => {
    expect(progressText({ state: 'starting', found: 0, done: 0, sizeBytes: 0 })).toBe(
      '[------------------------] 0/0 pages  0 B  starting',
    );
  });

  it('is never fuller than full', () => {
    expect(progressText({ state: 'running', found: 2, done: 3, sizeBytes: 999 })).toContain(`[${'#'.repeat(24)}]`);
  });
});
