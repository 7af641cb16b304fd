import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { uuid } from '../../../src/database/uuid-codec.js';
import type { ApiClient } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import { aMember, anOrg } from '../../support/people.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';

/** What a client is told, as it comes. */
class Listening {
  readonly events: { name: string; id: string; data: Record<string, unknown> }[] = [];
  private readonly leaving = new AbortController();
  private readonly ended: Promise<void>;

  private constructor(readonly response: Response) {
    this.ended = this.read().catch(() => undefined);
  }

  static async to({ baseUrl }: AppUnderTest, api: ApiClient, oid: string, since?: string): Promise<Listening> {
    const headers = { Authorization: `Bearer ${api.token ?? ''}`, Accept: 'text/event-stream' };
    const response = await fetch(`${baseUrl}/api/orgs/${oid}/stream`, {
      headers: since === undefined ? headers : { ...headers, 'Last-Event-ID': since },
    });
    return new Listening(response);
  }

  private async read(): Promise<void> {
    const parser = createParser({
      onEvent: ({ event = '', id = '', data }: EventSourceMessage) =>
        this.events.push({ name: event, id, data: JSON.parse(data) as Record<string, unknown> }),
    });
    const gone = new Promise<void>((resolve) =>
      this.leaving.signal.addEventListener('abort', () => {
        void this.response.body?.cancel().catch(() => undefined);
        resolve();
      }),
    );
    const reading = (async () => {
      const decoder = new TextDecoder();
      const reader = this.response.body?.getReader();
      for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
        parser.feed(decoder.decode(part.value, { stream: true }));
    })();
    await Promise.race([reading, gone]);
  }

  named(name: string): Record<string, unknown>[] {
    return this.events.filter((event) => event.name === name).map(({ data }) => data);
  }

  /** Waits until an event of this name says so. */
  async toldOf(name: string, fields: Record<string, unknown>): Promise<void> {
    await eventually(() => expect(this.named(name)).toContainEqual(expect.objectContaining(fields)));
  }

  async end(): Promise<void> {
    return this.ended;
  }

  leave(): void {
    this.leaving.abort();
  }
}

describe('the stream of an org', () => {
  let one: AppUnderTest;
  let other: AppUnderTest;
  let oid: string;
  let otherOid: string;
  let admin: ApiClient;
  let viewer: ApiClient;

  beforeAll(async () => {
    one = await startApp();
    other = await startApp({ like: one });
    admin = await one.admin();
    [oid, otherOid] = [await anOrg(one), await anOrg(one)];
    viewer = (await aMember(one, oid, 10)).api;
  });
  afterAll(async () => {
    await other?.stop();
    await one?.close();
  });

  const aCollection = async (of: string, name: string): Promise<string> =>
    (await admin.post<{ id: string }>(`/orgs/${of}/collections`, { name, crawlIds: [] })).body.id;

  it('tells of what another process changed, and of nothing of other orgs', async () => {
    const listening = await Listening.to(other, viewer, oid);
    expect(listening.response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    await eventually(() => expect(listening.events[0]?.name).toBe('ready'));
    const foreign = await aCollection(otherOid, 'Of the others');
    const id = await aCollection(oid, 'Ours');
    await listening.toldOf('collection', { id, crawlCount: 0 });
    await admin.post(`/orgs/${oid}/quotas`, { storageQuota: 1234 });
    await eventually(() => {
      const quotas = listening.named('org').map((data) => data['quotas'] as { storageQuota: number });
      expect(quotas.at(-1)?.storageQuota).toBe(1234);
    });
    expect(JSON.stringify(listening.events)).not.toContain(foreign);
    listening.leave();
  });

  it('goes on where it was cut off, in whichever process', async () => {
    const first = await Listening.to(one, viewer, oid);
    const second = await Listening.to(other, viewer, oid); // the other process listens from here on
    const seen = await aCollection(oid, 'Seen');
    await first.toldOf('collection', { id: seen });
    const last = first.events.at(-1)?.id;
    first.leave();
    const missed = await aCollection(oid, 'Missed');
    await second.toldOf('collection', { id: missed });
    const again = await Listening.to(other, viewer, oid, last);
    await again.toldOf('collection', { id: missed });
    expect(again.named('everything')).toEqual([]);
    second.leave();
    again.leave();
  });

  it.each(['1', 'nonsense', '99999999999999999999999'])(
    'says that everything may have changed to who comes with "%s"',
    async (since) => {
      const listening = await Listening.to(one, viewer, oid, since);
      await eventually(() => expect(listening.events[0]?.name).toBe('ready'));
      await listening.toldOf('everything', {});
      listening.leave();
    },
  );

  it('says that something is gone without saying whose', async () => {
    const id = await aCollection(oid, 'To go');
    const listening = await Listening.to(one, viewer, oid);
    await eventually(() => expect(listening.events[0]?.name).toBe('ready'));
    expect((await admin.delete(`/orgs/${oid}/collections/${id}`)).status).toBe(200);
    await eventually(() => expect(listening.named('collection')).toContainEqual({}));
    listening.leave();
  });

  it('tells of jobs only those who may list them', async () => {
    const crawler = (await aMember(one, oid, 20)).api;
    const [seeing, blind] = [await Listening.to(one, crawler, oid), await Listening.to(one, viewer, oid)];
    await eventually(() => expect([seeing, blind].map(({ events }) => events[0]?.name)).toEqual(['ready', 'ready']));
    const job = { _id: 'a-job', type: 'recalculate-org-stats', oid: uuid(oid), success: null, started: new Date() };
    await one.connection.collection('jobs').insertOne(job as never);
    await seeing.toldOf('job', { id: 'a-job', type: 'recalculate-org-stats' });
    const id = await aCollection(oid, 'After the job');
    await blind.toldOf('collection', { id });
    expect(blind.named('job')).toEqual([]);
    seeing.leave();
    blind.leave();
  });

  it('is closed to strangers, and short for who does not ask for a stream', async () => {
    const stranger = (await aMember(one, otherOid, 40)).api;
    expect((await Listening.to(one, stranger, oid)).response.status).toBe(404);
    expect((await Listening.to(one, one.api, oid)).response.status).toBe(401);
    const answer = await viewer.fetch('GET', `/orgs/${oid}/stream`);
    expect(await answer.text()).toMatch(/^retry: \d+\nevent: ready\nid: \d+\ndata: \{\}\n\n$/);
  });

  it('ends with the process, which waits for nobody who listens', async () => {
    const third = await startApp({ like: one });
    const listening = await Listening.to(third, viewer, oid);
    await eventually(() => expect(listening.events[0]?.name).toBe('ready'));
    await third.stop();
    await listening.end();
  });
});
