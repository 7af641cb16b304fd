import { lookup } from 'node:dns/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { isPublicAddress, Names, type ResolveCallback } from '../../../src/common/http/address-guard.js';
import { GuardedClient, type GuardedRequest } from '../../../src/common/http/guarded-client.js';

/** Spellings of this machine's own addresses: without the guard each of them reaches a server here. */
const OWN_IPV4 = [
  ...['127.0.0.1', '127.0.0.2', '127.255.255.254', '127.1', '127.0.1', '127.65535', '127.16777214'],
  ...['2130706433', '2130706434', '0x7f000001', '0x7F000001', '0x7f.1', '0x7f.0.0.1', '0x7f.0x0.0x0.0x1', '127.0x1'],
  ...['0177.0.0.1', '0177.1', '017700000001', '0177.0x0.0.1', '00177.00.00.01', '127.0.0.01', '127.000.000.001'],
  ...[
    '0.0.0.0',
    '0',
    '0x0',
    '00',
    '0.0',
    '0.0.0',
    '127.0.0.1.',
    '１２７.０.０.１',
    '127。0。0。1',
    '127．0．0．1',
    '⑫7.0.0.1',
  ],
  ...['%31%32%37.0.0.1', 'localhost', 'LocalHost'],
];
const OWN_IPV6 = [
  ...['[::1]', '[0:0:0:0:0:0:0:1]', '[0000:0000:0000:0000:0000:0000:0000:0001]', '[::0:1]', '[0::1]', '[::]', '[0::0]'],
  ...['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::FFFF:127.0.0.1]', '[0:0:0:0:0:ffff:7f00:0001]', '[::ffff:0.0.0.0]'],
];
/** Of other private, local or special ranges. */
const OTHERS = [
  ...[
    '10.0.0.1',
    '10.1',
    '0x0a000001',
    '012.0.0.1',
    '167772161',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '192.168.257',
  ],
  ...[
    '169.254.169.254',
    '0xa9fea9fe',
    '2852039166',
    '0251.0376.0251.0376',
    '169.254.1',
    '100.64.0.1',
    '100.127.255.255',
  ],
  ...['192.0.0.1', '192.0.2.1', '198.18.0.1', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
  ...['[fe80::1]', '[febf::1]', '[fc00::1]', '[fd12:3456::1]', '[fd00:ec2::254]', '[ff02::1]', '[::127.0.0.1]'],
  ...['[64:ff9b::7f00:1]', '[64:ff9b::10.0.0.1]', '[64:ff9b::a9fe:a9fe]', '[2002:7f00:1::]', '[2002:a9fe:a9fe::1]'],
  ...['[2001:0:7f00:1::]', '[::ffff:10.0.0.1]', '[::ffff:169.254.169.254]', '[2001:db8::1]'],
];
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
  afterEach(() => Promise.all(clients.splice(0).map((one) => one.onModuleDestroy())));
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const client = (names = new Names()): GuardedClient => {
    const one = new GuardedClient(names);
    clients.push(one);
    return one;
  };
  const get = (url: string, allowPrivate: boolean): GuardedRequest => ({
    ...{ method: 'GET', url, timeoutMs: 30_000, keepBytes: 100, allowPrivate },
  });
  const urlOf = (host: string) => `http://${host}:${port}/`;
  const own = hasIpv6 ? [...OWN_IPV4, ...OWN_IPV6] : OWN_IPV4;

  it('is asked for enough spellings', () => {
    expect(new Set([...OWN_IPV4, ...OWN_IPV6]).size).toBeGreaterThanOrEqual(40);
  });

  it.each(own)(
    'reaches this machine as %s where private addresses are allowed, and not where they are not',
    async (host) => {
      expect((await client().send(get(urlOf(host), true))).body.toString()).toBe('reached');
      expect(reached).toHaveLength(1);
      await expect(client().send(get(urlOf(host), false))).rejects.toThrow(/not a public address/);
      expect(reached).toHaveLength(1);
    },
  );

  it.each(OTHERS)('refuses %s', async (host) => {
    await expect(client().send(get(urlOf(host), false))).rejects.toThrow(/not a public address/);
    expect(reached).toEqual([]);
  });

  it.each(['[fe80::1%25lo]', '[::1%25lo]', '[fe80::1%lo]'])('knows no zone id: %s', async (host) => {
    await expect(client().send(get(urlOf(host), false))).rejects.toThrow();
    expect(reached).toEqual([]);
  });

  it("refuses every address of this machine's interfaces that is not public", async () => {
    const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
    for (const { address, family } of addresses.filter(({ address }) => !isPublicAddress(address))) {
      const host = family === 'IPv6' ? `[${address.replace(/%.*$/, '')}]` : address;
      await expect(client().send(get(urlOf(host), false))).rejects.toThrow(/not a public address/);
    }
    expect(reached).toEqual([]);
  });

  it('refuses a name of which one address among several is private', async () => {
    const names = new Answers([['93.184.216.34', '127.0.0.1']]);
    await expect(client(names).send(get(urlOf('mixed.example'), false))).rejects.toThrow(/not a public address/);
    expect(reached).toEqual([]);
  });

  describe('and names that change their answer', () => {
    /** 127.0.0.2 stands for a public address here, 127.0.0.1 for a private one; a server listens at each. */
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
      const answer = await client(names).send(get(`http://rebinding.example:${port}/`, false));
      expect([answer.status, hits, names.asked]).toEqual([200, ['127.0.0.2'], 1]);
    });

    it('checks again for every new connection', async () => {
      const names = new Answers([['127.0.0.2'], ['127.0.0.1']]);
      const one = client(names);
      await one.send(get(`http://rebinding.example:${port}/`, false));
      await expect(one.send(get(`http://rebinding.example:${port}/`, false))).rejects.toThrow(/not a public address/);
      expect([hits, names.asked]).toEqual([['127.0.0.2'], 2]);
    });

    it('would have reached both without the guard', async () => {
      for (const address of ['127.0.0.1', '127.0.0.2']) await client().send(get(`http://${address}:${port}/`, true));
      expect(hits).toEqual(['127.0.0.1', '127.0.0.2']);
    });
  });

  it('resolves names by the system where nothing else is bound', async () => {
    const { address } = await lookup('localhost');
    expect(new Names().isPublic(address)).toBe(false);
  });
});

/** Gives each answer once, the last one for ever; 127.0.0.2 counts as public. */
class Answers extends Names {
  asked = 0;

  constructor(private readonly answers: readonly string[][]) {
    super();
  }

  override resolve(_name: string, _options: object, callback: ResolveCallback): void {
    const answer = this.answers[Math.min(this.asked++, this.answers.length - 1)] ?? [];
    callback(
      null,
      answer.map((address) => ({ address, family: 4 })),
    );
  }

  override isPublic(address: string): boolean {
    return address === '127.0.0.2' || isPublicAddress(address);
  }
}
