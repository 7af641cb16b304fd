import { createServer as createProxy, type Server } from 'node:http';
import { createServer as createSite } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { crawlConfig, CrawlerChild } from '../../support/crawler-child.js';
import { selfSigned } from '../../support/self-signed.js';
import { WaczFile } from '../../support/wacz-file.js';

/** A channel as Telegram's own pages show it: the picture behind the link is loaded by nobody but the behavior. */
const channelOf = (
  host: string,
): string => `<!doctype html><link rel="icon" href="data:,"><title>A channel</title><main>
  <section class="tgme_channel_history js-message_history">
    <div><div data-post="archive/1">First</div></div>
    <div><div data-post="archive/2">Second</div>
      <a class="tgme_widget_message_link_preview" href="https://pictures.example/${host}.png">a picture</a></div>
  </section></main>`;

const listen = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};

describe('a page of a site that browsertrix-behaviors knows', () => {
  /** `<host><path>` of what was asked for, whatever the host: all of them are here. */
  const asked: string[] = [];
  const started: CrawlerChild[] = [];
  const sockets = new Set<Socket>();
  let site: Server;
  let proxy: Server;
  let proxyUrl: string;

  beforeAll(async () => {
    site = createSite(selfSigned(), ({ headers, url = '/' }, response) => {
      const { host = '' } = headers;
      asked.push(`${host}${url}`);
      const isPage = url.startsWith('/s/');
      response
        .writeHead(200, { 'content-type': isPage ? 'text/html' : 'image/png' })
        .end(isPage ? channelOf(host) : 'picture');
    });
    const port = await listen(site);
    // The workflow's proxy, which is asked for every host and leads all of them to this machine.
    proxy = createProxy((_request, response) => response.writeHead(502).end());
    proxy.on('connect', (_request, client: Socket) => {
      const server = connect(port, '127.0.0.1', () => client.write('HTTP/1.1 200 OK\r\n\r\n'));
      for (const socket of [client, server]) {
        sockets.add(socket);
        socket
          .on('error', () => socket.destroy())
          .once('close', () => [client, server].forEach((each) => each.destroy()));
      }
      client.pipe(server).pipe(client);
    });
    proxyUrl = `http://127.0.0.1:${String(await listen(proxy))}`;
  });
  afterEach(() => CrawlerChild.discardAll(started));
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    for (const server of [proxy, site]) await new Promise((resolve) => server.close(resolve));
  });

  it('is visited with the behavior of its site, whose finds are archived, and no other page is', async () => {
    const seeds = ['t.me', 'mirror.example'].map((host) => ({ url: `https://${host}/s/archive` }));
    const config = { seeds, scopeType: 'page' as const, behaviors: 'siteSpecific' };
    const crawler = await CrawlerChild.start(crawlConfig(config, { windows: 1, proxy: { url: proxyUrl } }));
    started.push(crawler);
    expect(await crawler.end()).toEqual({ code: 0, reason: 'finished' });
    expect(crawler.rows).toMatchObject(
      seeds.map(({ url }) => ({ url, title: 'A channel', loadState: 4, status: 200 })),
    );
    expect(asked).toEqual(
      expect.arrayContaining(['t.me/s/archive', 'pictures.example/t.me.png', 'mirror.example/s/archive']),
    );
    expect(asked).not.toContain('pictures.example/mirror.example.png');
    const found = new WaczFile(crawler.waczs[0]!).lines('https://pictures.example/t.me.png');
    expect(found).toMatchObject([{ status: '200', mime: 'image/png' }]);
  });
});
