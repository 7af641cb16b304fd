import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WORK_FILES, type CrawlModeConfig } from '../protocol.js';
import { Seeds } from './seeds.js';

describe('a seed file', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'seeds-'));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  const load = (lines: readonly string[], config: CrawlModeConfig['config'] = {}): Promise<Seeds> => {
    writeFileSync(join(dir, WORK_FILES.seedFile), lines.join('\n'));
    return Seeds.load({ dir, config, hasSeedFile: true } as CrawlModeConfig, () => undefined);
  };

  it('may have 100,000 lines: each is a seed with the scope of the workflow', async () => {
    const lines = Array.from({ length: 100_000 }, (_, i) => `https://site-${String(i)}.example/start/`);
    const seeds = await load(lines, { scopeType: 'prefix' });
    expect(seeds.count).toBe(100_000);
    expect(seeds.scope(99_999).url).toBe('https://site-99999.example/start/');
    expect(seeds.judge(99_999, 'https://site-99999.example/start/more', 1, 0).inScope).toBe(true);
    expect(seeds.judge(99_999, 'https://site-1.example/start/more', 1, 0).inScope).toBe(false);
  });

  it('comes behind the seeds of the workflow, without the lines that are no web address', async () => {
    const lines = ['', 'https://a.example/\r', 'no address', 'ftp://b.example/', '  https://c.example/x '];
    const seeds = await load(lines, { seeds: [{ url: 'https://first.example/' }] });
    expect(Array.from({ length: seeds.count }, (_, id) => seeds.scope(id).url)).toEqual([
      'https://first.example/',
      'https://a.example/',
      'https://c.example/x',
    ]);
  });
});
