import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WORK_FILES, type InputEvent, type ProfileModeConfig } from '../../../crawler/protocol.js';
import { crawlConfig, CrawlerChild } from '../../support/crawler-child.js';
import { eventually } from '../../support/eventually.js';
import { startTestSite, type TestSite } from '../../support/site/site.js';

describe('a profile browser', () => {
  let site: TestSite;
  let browser: CrawlerChild;

  beforeAll(async () => {
    site = await startTestSite();
    const config: ProfileModeConfig = {
      mode: 'profile',
      jobId: 'prf-0123456789',
      dir: mkdtempSync(join(tmpdir(), 'muniment-profile-')),
      allowPrivate: true,
      url: `${site.url}/login.html`,
    };
    browser = await CrawlerChild.start(config, { store: false });
    await eventually(() => {
      if (!browser.of('state').some(({ status }) => status === 'running')) throw new Error('not running');
    });
  });

  afterAll(async () => {
    await browser.discard();
    await site.close();
  });

  const input = (event: InputEvent) => browser.send({ t: 'input', event });
  const press = (key: string) => {
    input({ type: 'key', action: 'keyDown', key, code: key });
    input({ type: 'key', action: 'keyUp', key, code: key });
  };
  const title = async () => {
    const reply = await browser.ask({ t: 'ping' });
    return reply.kind === 'ping' ? reply.title : '';
  };

  it('shows frames while someone watches, and none otherwise', async () => {
    expect(browser.of('frame')).toEqual([]);
    browser.send({ t: 'cast', on: true });
    const frame = await eventually(() => {
      const last = browser.of('frame').at(-1);
      if (!last) throw new Error('no frame');
      return last;
    });
    expect(frame).toMatchObject({ id: 0, url: `${site.url}/login.html`, width: 1280, height: 800 });
    expect(Buffer.from(frame.data, 'base64').subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
  });

  it('lets a person log in with keyboard and mouse', async () => {
    await eventually(async () => expect(await title()).toBe('Log in'));
    press('Tab');
    input({ type: 'text', text: 'ada' });
    press('Tab');
    for (const key of 'secret')
      input({ type: 'key', action: 'keyDown', key, code: `Key${key.toUpperCase()}`, text: key });
    press('Enter');
    await eventually(async () => expect(await title()).toBe('Members'));
  });

  it('navigates, refuses other schemes and knows the origins visited', async () => {
    const answer = await browser.ask({ t: 'navigate', url: `${site.otherUrl}/inner.html` });
    expect(answer).not.toHaveProperty('error');
    expect(await browser.ask({ t: 'navigate', url: 'file:///etc/passwd' })).toHaveProperty('error');
    const ping = await browser.ask({ t: 'ping' });
    expect(ping.kind === 'ping' && [...ping.origins].sort()).toEqual([`${site.url}/`, `${site.otherUrl}/`].sort());
  });

  it('packs a profile with which a crawl is logged in', async () => {
    const reply = await browser.ask({ t: 'commit' });
    if (reply.kind !== 'commit') throw new Error(`commit failed: ${reply.error}`);
    expect(reply.file.size).toBeLessThan(5_000_000);
    const config = crawlConfig(
      { seeds: [{ url: `${site.url}/members.html` }], scopeType: 'prefix', limit: 3 },
      { hasProfile: true },
    );
    cpSync(join(browser.config.dir, WORK_FILES.outDir, reply.file.file), join(config.dir, WORK_FILES.profileArchive));
    const crawl = await CrawlerChild.start(config);
    try {
      expect(await crawl.end()).toMatchObject({ reason: 'finished' });
      expect(crawl.row('/members/secret.html')).toMatchObject({ status: 200, title: 'The secret' });
    } finally {
      await crawl.discard();
    }
  });

  it('goes on after the commit where the person was', async () => {
    await eventually(async () => expect(await title()).toBe('Inner'));
  });
});
