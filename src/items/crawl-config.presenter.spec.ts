import { toConfigOut, toSeedPage } from './crawl-config.presenter.js';
import { type StoredCrawlConfig, StoredCrawlConfigSchema } from './data/crawl-config.schema.js';

const asStored = (fields: object): StoredCrawlConfig => fields as StoredCrawlConfig;

/** The contract's defaults of a config. Contract: crawling §3.2. */
const DEFAULTS = {
  ...{ seeds: null, seedFileId: null, scopeType: 'prefix', include: null, exclude: null, depth: -1, limit: 0 },
  ...{ extraHops: 0, lang: null, blockAds: false, behaviorTimeout: null, pageLoadTimeout: null, pageExtraDelay: 0 },
  ...{ postLoadDelay: 0, workers: null, headless: null, generateWACZ: null, combineWARC: null, useSitemap: false },
  ...{ useRobots: false, failOnFailedSeed: false, failOnContentCheck: false, logging: null },
  ...{ behaviors: 'autoscroll,autoplay,autofetch,siteSpecific', customBehaviors: [], userAgent: null },
  ...{ selectLinks: ['a[href]->href'], clickSelector: 'a', alwaysAddBehaviorLinks: false, saveStorage: false },
};

describe('toConfigOut', () => {
  it('shows what a document of an older version lacks as the default', () => {
    expect(toConfigOut(asStored({}))).toEqual(DEFAULTS);
  });

  it('shows a stored null as null, but for the lists and the selector that have to have a value', () => {
    const nulls = Object.fromEntries(Object.keys(DEFAULTS).map((field) => [field, null]));
    const { customBehaviors, selectLinks, clickSelector } = DEFAULTS;
    expect(toConfigOut(asStored(nulls))).toEqual({ ...nulls, customBehaviors, selectLinks, clickSelector });
  });

  it('shows what is stored, none of it taken for missing', () => {
    const stored = {
      ...DEFAULTS,
      ...{
        scopeType: 'page',
        include: ['a'],
        exclude: 'b',
        depth: 0,
        limit: 7,
        extraHops: 1,
        lang: '',
        blockAds: true,
      },
      ...{ behaviorTimeout: 0, pageExtraDelay: 3, headless: false, useSitemap: true, behaviors: '', logging: '' },
      ...{ customBehaviors: ['https://x.org/b.js'], selectLinks: [], clickSelector: '', saveStorage: true },
      dedupePagesMinDepth: 0,
    };
    expect(toConfigOut(asStored(stored))).toEqual(stored);
  });

  it('leaves the seeds and unknown fields out', () => {
    expect(toConfigOut(asStored({ seeds: [{ url: 'https://a.org/' }], gone: 1 }))).toEqual(DEFAULTS);
  });

  it('has every field of the model, and its defaults', () => {
    const fields = Object.entries(StoredCrawlConfigSchema.obj as Record<string, { default?: unknown }>);
    const ofModel = Object.fromEntries(fields.map(([field, { default: value }]) => [field, value]));
    expect({ ...ofModel, seeds: null }).toEqual({ ...DEFAULTS, dedupePagesMinDepth: null });
  });
});

describe('toSeedPage', () => {
  const seeds = ['a', 'b', 'c'].map((name) => ({ url: `https://${name}.org/`, depth: 0 }));

  it('is a part of the seeds, each with all of its fields', () => {
    const { items, total } = toSeedPage({ page: 2, pageSize: 2 }, asStored({ seeds }));
    expect(total).toBe(3);
    expect(items).toEqual([
      {
        ...{ url: 'https://c.org/', scopeType: null, include: null, exclude: null, sitemap: null, allowHash: null },
        ...{ depth: 0, extraHops: null },
      },
    ]);
  });

  it.each([null, undefined, []])('has none of %j', (none) => {
    expect(toSeedPage({ page: 1, pageSize: 2 }, asStored({ seeds: none }))).toMatchObject({ items: [], total: 0 });
  });
});
