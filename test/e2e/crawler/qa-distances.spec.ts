import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { QaModeConfig } from '../../../crawler/protocol.js';
import { writeAltered } from '../../support/altered-wacz.js';
import { crawlConfig, CrawlerChild } from '../../support/crawler-child.js';
import { eventually } from '../../support/eventually.js';
import { Player } from '../../support/player.js';
import { WaczFile } from '../../support/wacz-file.js';

/**
 * Each page of 1920 × 1080: the style sheet fills the left half, the picture a quarter at the top right, and twenty
 * lines of text of the same length stand below it.
 */
const LINES = Array.from({ length: 20 }, (_, i) => `Line ${String(i + 10)} of twenty that say nothing in all`);
const page = (name: string) => `<!doctype html><html><head><meta charset="utf-8"><title>${name}</title>
<link rel="stylesheet" href="/${name}/look.css"></head><body style="margin: 0">
<div id="side"></div>
<img alt="" src="/${name}/picture.svg" style="position: absolute; left: 960px; top: 0; width: 960px; height: 540px">
<pre style="position: absolute; left: 980px; top: 540px; margin: 0; font: bold 20px/24px monospace">${LINES.join('\n')}</pre>
</body></html>`;
const look = (name: string) =>
  `/* ${name} */ #side { position: absolute; left: 0; top: 0; width: 960px; height: 1080px; background: #123456 }`;
const picture = (name: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="960" height="540"><title>${name}</title><rect width="960" height="540" fill="#a00000"/></svg>`;

/** Tries to leave the archive in every way a page has. The random part is not the one that was crawled. */
const escape = (outside: string) => `<!doctype html><html><head><meta charset="utf-8"><title>escape</title></head><body>
<pre id="tried"></pre><script>
const at = (kind) => '${outside}/' + kind + '?' + Math.random();
const calling = (kind) => 'fetch(' + JSON.stringify(at(kind)) + ', { mode: "no-cors" }).catch(() => undefined);'
  + 'new WebSocket(' + JSON.stringify(at(kind).replace('http', 'ws')) + ')';
const attempts = {
  fetch: () => fetch(at('fetch'), { mode: 'no-cors' }).catch(() => undefined),
  image: () => { new Image().src = at('image'); },
  beacon: () => navigator.sendBeacon(at('beacon')),
  socket: () => { new WebSocket(at('socket').replace('http', 'ws')); },
  events: () => { new EventSource(at('events')); },
  frame: () => { document.body.append(Object.assign(document.createElement('iframe'), { src: at('frame') })); },
  script: () => { document.body.append(Object.assign(document.createElement('script'), { src: at('script') })); },
  worker: () => new Worker(URL.createObjectURL(new Blob([calling('worker')], { type: 'text/javascript' }))),
  data: () => new Worker('data:text/javascript,' + encodeURIComponent(calling('data'))),
  sandbox: () => {
    const frame = Object.assign(document.createElement('iframe'), { sandbox: 'allow-scripts' });
    frame.srcdoc = '<script>' + calling('sandbox') + '<\\/script>';
    document.body.append(frame);
  },
  connect: () => {
    const hint = Object.assign(document.createElement('link'), { rel: 'preconnect', href: at('connect').replace('http', 'https') });
    document.head.append(hint);
  },
};
const tried = [];
for (const [kind, attempt] of Object.entries(attempts)) { attempt(); tried.push(kind); }
document.querySelector('#tried').textContent = 'tried ' + tried.join(' ');
</script><img alt="" src="/barrier.svg"></body></html>`;
const REQUESTS = ['fetch', 'image', 'beacon', 'socket', 'events', 'frame', 'script', 'worker', 'data', 'sandbox'];
const KINDS = [...REQUESTS, 'connect'];

const NAMES = ['style', 'picture', 'text', 'identical'] as const;
type Name = (typeof NAMES)[number];

describe('a quality check of an archive with known gaps', () => {
  const reached: string[] = [];
  let connections = 0;
  let held = () => undefined as void;
  let reachedAtCrawl: string[] = [];
  let connectionsAtCrawl = 0;
  let outside: Server;
  let site: Server;
  let crawl: CrawlerChild;
  let qa: CrawlerChild;

  beforeAll(async () => {
    outside = createServer((request, response) => {
      reached.push(request.url ?? '');
      response.writeHead(204).end();
    });
    const outsideUrl = await listen(outside);
    site = createServer((request, response) => {
      reached.push(request.url ?? '');
      const [, name = '', file = ''] = (request.url ?? '').split('/');
      if (name === 'barrier.svg')
        held = () => void response.setHeader('content-type', 'image/svg+xml').end(picture(name));
      else if (name === 'escape') response.setHeader('content-type', 'text/html').end(escape(outsideUrl));
      else if (file === 'look.css') response.setHeader('content-type', 'text/css').end(look(name));
      else if (file === 'picture.svg') response.setHeader('content-type', 'image/svg+xml').end(picture(name));
      else response.setHeader('content-type', 'text/html').end(page(name));
    });
    const siteUrl = await listen(site);
    // The crawled page has loaded when all it tries has arrived.
    const release = () => {
      if (!REQUESTS.every((kind) => reached.some((url) => url.startsWith(`/${kind}?`)))) return;
      held();
      held = () => undefined;
    };
    for (const server of [site, outside]) {
      server.on('request', release);
      server.on('connection', () => connections++);
      server.on('upgrade', (request, socket) => {
        reached.push(request.url ?? '');
        socket.destroy();
        release();
      });
    }

    const seeds = [...NAMES, 'escape'].map((name) => ({ url: `${siteUrl}/${name}/` }));
    crawl = await CrawlerChild.start(crawlConfig({ seeds, scopeType: 'page', behaviors: '' }));
    expect(await crawl.end(180_000)).toMatchObject({ reason: 'finished' });
    [reachedAtCrawl, connectionsAtCrawl] = [[...reached], connections];

    const altered = join(crawl.config.dir, 'altered.wacz');
    await writeAltered(new WaczFile(crawl.waczs[0]!), altered, ({ url }, body) => {
      if (url === `${siteUrl}/style/look.css` || url === `${siteUrl}/picture/picture.svg`) return null;
      if (url !== `${siteUrl}/text/`) return undefined;
      return Buffer.from(body.toString('utf8').replace(`\n${LINES.slice(10).join('\n')}`, ''));
    });
    const { rolloverBytes, ...base } = crawlConfig({ seeds, behaviors: '' });
    const config: QaModeConfig = {
      ...base,
      mode: 'qa',
      jobId: 'qa-20201121080000-abcdef01-235',
      warcPrefix: 'qa',
      rolloverBytes,
      sources: [{ name: 'altered.wacz', path: altered, sizeBytes: 0 }],
    };
    qa = await CrawlerChild.start(config);
    expect(await qa.end(240_000)).toMatchObject({ reason: 'finished' });
  }, 440_000);

  afterAll(async () => {
    await crawl?.discard();
    await qa?.discard();
    for (const server of [site, outside]) {
      server?.closeAllConnections();
      server?.close();
    }
  });

  const compared = (name: Name | 'escape') => {
    const found = qa.of('qaPage').find(({ row }) => row.url.endsWith(`/${name}/`))?.comparison;
    if (!found) throw new Error(`${name} was not compared`);
    return {
      screenshotMatch: found.screenshotMatch ?? NaN,
      textMatch: found.textMatch ?? NaN,
      ...found.resourceCounts,
    };
  };

  it('scores the page without its style sheet below the one without its picture, below the one without half its text, below the identical one', () => {
    const scores = NAMES.map((name) => compared(name).screenshotMatch);
    expect(scores).toEqual([...scores].sort((a, b) => a - b));
    expect(new Set(scores).size).toBe(NAMES.length);
  });

  it.each<[Name, [number, number], [number, number]]>([
    // Half of the view, a quarter of it, the ink of ten lines, nothing.
    ['style', [0.495, 0.505], [1, 1]],
    ['picture', [0.745, 0.755], [1, 1]],
    ['text', [0.95, 0.998], [0.49, 0.51]],
    ['identical', [0.999, 1], [1, 1]],
  ])('states the distance of %s: screenshot %j, text %j', (name, view, text) => {
    const { screenshotMatch, textMatch } = compared(name);
    expect([screenshotMatch >= view[0] && screenshotMatch <= view[1], screenshotMatch]).toEqual([
      true,
      screenshotMatch,
    ]);
    expect([textMatch >= text[0] && textMatch <= text[1], textMatch]).toEqual([true, textMatch]);
  });

  it.each<[Name, number, number]>([
    ['style', 2, 1],
    ['picture', 2, 1],
    ['text', 3, 0],
    ['identical', 3, 0],
  ])('counts what %s loads at replay', (name, replayGood, replayBad) => {
    expect(compared(name)).toMatchObject({ crawlGood: 3, crawlBad: 0, replayGood, replayBad });
  });

  it('leaves a WACZ from which the player takes what was seen, as a reviewer’s page does', async () => {
    const wacz = new WaczFile(qa.waczs[0]!);
    const player = await Player.open(wacz.path);
    try {
      for (const name of NAMES) {
        const { url, ts } = qa.of('qaPage').find(({ row }) => row.url.endsWith(`/${name}/`))!.row;
        const given = (kind: string) =>
          eventually(async () => {
            const body = await player.record(`urn:${kind}:${url}`, ts);
            if (!body) throw new Error(`the player has no ${kind} of ${url}`);
            return body;
          });
        const [view] = wacz.lines(`urn:view:${url}`);
        expect((await given('view')).equals(wacz.body(view!))).toBe(true);
        expect((await given('text')).toString('utf8').split('\n')).toHaveLength(name === 'text' ? 10 : 20);
        expect(JSON.parse((await given('pageinfo')).toString('utf8'))).toMatchObject({ url, comparison: {} });
      }
    } finally {
      await player.close();
    }
  });

  it('reaches the live site in no way, though the pages try and the site is up', () => {
    const kinds = reachedAtCrawl.map((url) => /^\/(\w+)\?/.exec(url)?.[1]).filter(Boolean);
    expect(kinds).toEqual(expect.arrayContaining(REQUESTS)); // that the attempts are real shows at the crawl
    const seen = new WaczFile(qa.waczs[0]!);
    const [text] = seen.index.filter(({ url }) => url.startsWith('urn:text:') && url.endsWith('/escape/'));
    expect(seen.body(text!).toString('utf8')).toBe(`tried ${KINDS.join(' ')}`); // and was made at replay
    expect(reached.slice(reachedAtCrawl.length)).toEqual([]);
    expect(connections).toBe(connectionsAtCrawl);
  });
});

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}
