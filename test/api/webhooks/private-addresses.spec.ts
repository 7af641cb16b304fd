import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { AddressPolicy, isPublicAddress } from '../../../formats/address/address-policy.js';
import type { ResolveName } from '../../../formats/address/resolve.js';
import { GuardedClient, type GuardedRequest } from '../../../src/common/http/guarded-client.js';
import { Names } from '../../../src/common/http/names.js';

const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));

describe('the client for URLs that users give', () => {
  const clients: GuardedClient[] = [];
  /** Every interface of this machine, both families where there are two. */
  let server: Server;
  let port: number;
  let reached: string[];

  beforeAll(async () => {
    server = createServer((request, response) => {
      reached.push(String(request.headers.host));
      response.end('reached');
    });
    await new Promise<void>((resolve) => server.listen(0, hasIpv6 ? '::' : '0.0.0.0', resolve));
    port = (server.address() as AddressInfo).port;
  });
  beforeEach(() => (reached = []));
  afterEach(() => Promise.all(clients.splice(0).map((one) => one.onApplicationShutdown())));
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const client = (names = new Names()): GuardedClient => {
    const one = new GuardedClient(names);
    clients.push(one);
    return one;
  };
  /** 127.0.0.2 stands for a public address here. */
  const guarded = new AddressPolicy(false, ['127.0.0.2']);
  const get = (url: string, addresses = guarded): GuardedRequest => ({
    ...{ method: 'GET', url, timeoutMs: 30_000, keepBytes: 100, addresses },
  });
  const urlOf = (host: string) => `http://${host}:${port}/`;
  it("refuses every address of this machine's interfaces that is not public", async () => {
    const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
    for (const { address, family } of addresses.filter(({ address }) => !isPublicAddress(address))) {
      const host = family === 'IPv6' ? `[${address.replace(/%.*$/, '')}]` : address;
      await expect(client().send(get(urlOf(host)))).rejects.toThrow(/not a public address/);
    }
    expect(reached).toEqual([]);
  });

  it('refuses a name of which one address among several is private', async () => {
    const names = new Answers([['93.184.216.34', '127.0.0.1']]);
    await expect(client(names).send(get(urlOf('mixed.example')))).rejects.toThrow(/not a public address/);
    expect(reached).toEqual([]);
  });

  describe('and names that change their answer', () => {
    /** A server listens at each of 127.0.0.1 and 127.0.0.2. */
    const servers: Server[] = [];
    let port: number;
    let hits: string[];

    beforeAll(async () => {
      const listen = async (address: string, at: number) => {
        const one = createServer((_, response) => {
          hits.push(address);
          response.setHeader('connection', 'close').end('ok');
        });
        await new Promise<void>((resolve, reject) => one.once('error', reject).listen(at, address, resolve));
        servers.push(one);
        return (one.address() as AddressInfo).port;
      };
      port = await listen('127.0.0.2', 0);
      await listen('127.0.0.1', port);
    });
    beforeEach(() => (hits = []));
    afterAll(() => Promise.all(servers.map((one) => new Promise((resolve) => one.close(resolve)))));

    it('connects to the very address that was checked, and asks once', async () => {
      const names = new Answers([['127.0.0.2'], ['127.0.0.1']]);
      const answer = await client(names).send(get(`http://rebinding.example:${port}/`));
      expect([answer.status, hits, names.asked]).toEqual([200, ['127.0.0.2'], 1]);
    });

    it('checks again for every new connection', async () => {
      const names = new Answers([['127.0.0.2'], ['127.0.0.1']]);
      const one = client(names);
      await one.send(get(`http://rebinding.example:${port}/`));
      await expect(one.send(get(`http://rebinding.example:${port}/`))).rejects.toThrow(/not a public address/);
      expect([hits, names.asked]).toEqual([['127.0.0.2'], 2]);
    });

    it('would have reached both without the guard', async () => {
      for (const address of ['127.0.0.1', '127.0.0.2'])
        await client().send(get(`http://${address}:${port}/`, AddressPolicy.open));
      expect(hits).toEqual(['127.0.0.1', '127.0.0.2']);
    });
  });
});

/** Gives each answer once, the last one for ever. */
class Answers extends Names {
  asked = 0;

  constructor(private readonly answers: readonly string[][]) {
    super();
  }

  override readonly resolve: ResolveName = (_name, _options, callback) => {
    const answer = this.answers[Math.min(this.asked++, this.answers.length - 1)] ?? [];
    callback(
      null,
      answer.map((address) => ({ address, family: 4 })),
    );
  };
}
