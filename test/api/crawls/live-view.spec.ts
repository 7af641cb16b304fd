import { once } from 'node:events';
import { WebSocket } from 'ws';
import { OpensSocket, type SocketPeer } from '../../../src/common/http/socket-upgrades.js';
import { ScreencastHub } from '../../../src/drivers/local/screencast-hub.js';
import { eventually } from '../../support/eventually.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';

/** Pictures as large as this fill the buffers of the system, and what is kept for a viewer, long before the last one. */
const PICTURE = 'x'.repeat(1024 * 1024);
const PICTURES = 64;

type Message = { msg: string; url?: string; browsers?: number };

class Viewer {
  readonly seen: Message[] = [];
  readonly closed: Promise<number>;

  constructor(readonly socket: WebSocket) {
    socket.on('error', () => undefined);
    socket.on('message', (data: Buffer) => void this.seen.push(JSON.parse(data.toString()) as Message));
    this.closed = once(socket, 'close').then(([code]) => code as number);
  }

  get urls(): (string | undefined)[] {
    return this.seen.flatMap(({ msg, url }) => (msg === 'screencast' ? [url] : []));
  }
}

let hub: ScreencastHub;
let windows: number;
class HubSocket {
  @OpensSocket({ path: /^\/hub\/(?<index>\d)\/ws$/, role: 'crawler' })
  open({ index }: Record<string, string>): Promise<SocketPeer | null> {
    return Promise.resolve(hub.open(Number(index), windows, 2));
  }
}

describe('the live view of a local crawl', () => {
  let on: AppUnderTest;
  let casts: boolean[];
  let address: string;

  beforeAll(async () => {
    on = await startApp({ overrides: [{ module: class {}, providers: [HubSocket] }] });
    const { token } = await on.admin();
    address = `${on.baseUrl.replace('http', 'ws')}/hub/0/ws?oid=${await on.defaultOrgId()}&auth_bearer=${token ?? ''}`;
  });
  beforeEach(() => {
    casts = [];
    windows = 3;
    hub = new ScreencastHub((isOn) => casts.push(isOn));
  });
  afterAll(() => on.close());

  const frame = (id: number, url: string, data = 'png'): void =>
    hub.frame({ v: 1, t: 'frame', id, url, data, width: 1280, height: 720 });
  const viewerOf = async (index: number): Promise<Viewer> => {
    const viewer = new Viewer(new WebSocket(address.replace('/hub/0/', `/hub/${String(index)}/`)));
    await eventually(() => expect(viewer.seen[0]?.msg).toBe('init'));
    return viewer;
  };

  it('gives each viewer the windows of its instance, a later one the last picture, and stops with the last', async () => {
    const [one, other] = [await viewerOf(0), await viewerOf(1)];
    expect([one.seen[0]?.browsers, other.seen[0]?.browsers]).toEqual([2, 1]);
    for (const id of [0, 1, 2]) frame(id, `https://site.example/${String(id)}`);
    frame(2, 'about:blank');
    const late = await viewerOf(0);
    hub.closed(2);
    await eventually(() => {
      expect(one.urls).toEqual(['https://site.example/0', 'https://site.example/1']);
      expect(late.urls).toEqual(one.urls);
      expect(other.seen.map(({ msg }) => msg)).toEqual(['init', 'screencast', 'close']);
    });
    expect(casts).toEqual([true]);
    for (const { socket } of [one, other, late]) socket.close();
    await eventually(() => expect(casts).toEqual([true, false]));
  });

  it('shows a window that was added while somebody watches, and says how many there are', async () => {
    windows = 1;
    const viewer = await viewerOf(0);
    frame(0, 'https://site.example/0');
    hub.resize(2, 2);
    frame(1, 'https://site.example/1');
    await eventually(() => expect(viewer.urls.at(-1)).toBe('https://site.example/1'));
    const inits = viewer.seen.flatMap(({ msg, browsers }) => (msg === 'init' ? [browsers] : []));
    expect(inits).toEqual([1, 2]);
    expect(viewer.urls).toEqual(['https://site.example/0', 'https://site.example/0', 'https://site.example/1']);
    viewer.socket.close();
    await eventually(() => expect(casts).toEqual([true, false]));
  });

  it('lets a viewer go that does not keep up, and holds nobody else back', async () => {
    const [slow, quick] = [await viewerOf(0), await viewerOf(0)];
    slow.socket.pause();
    for (let n = 1; n <= PICTURES; n += 1) {
      frame(0, `https://site.example/${String(n)}`, PICTURE);
      await eventually(() => expect(quick.urls).toHaveLength(n));
    }
    slow.socket.resume();
    expect(await slow.closed).toBe(1006);
    expect(slow.urls.length).toBeLessThan(PICTURES);
    expect(hub.isWatched).toBe(true);
    hub.end();
    expect(await quick.closed).toBe(1000);
    expect(casts).toEqual([true, false]);
  });
});
