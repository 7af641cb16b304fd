import { connect, type Socket } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import type { AddressPolicy } from '../../formats/address/address-policy.js';
import { bareHost, resolveChecked, type Resolved } from '../../formats/address/resolve.js';
import { errorText } from '../base/time.js';

const CONNECT_TIMEOUT_MS = 20_000;
/** Without an answer in this time the next address of a name is tried too, ms. */
const PER_ADDRESS_MS = 5_000;

/** The upstream proxy refused or can't be reached. The crawl can't go on without it. */
export class UpstreamFailed extends Error {}

/** Opens a TCP connection to a host of the web. */
export interface Dialer {
  dial(host: string, port: number): Promise<Socket>;
}

/** Connects to the address that was checked, so that a second DNS answer can't lead elsewhere. */
export class DirectDialer implements Dialer {
  constructor(private readonly policy: AddressPolicy) {}

  async dial(host: string, port: number): Promise<Socket> {
    const addresses = await resolveChecked(host, this.policy);
    let failure: unknown;
    for (const address of addresses.slice(0, 4)) {
      try {
        return await open(address, port, addresses.length > 1 ? PER_ADDRESS_MS : CONNECT_TIMEOUT_MS);
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }
}

/** Goes through the workflow's proxy: http, https or SOCKS5. It checks names that resolve here; the proxy resolves. */
export class ProxyDialer implements Dialer {
  private readonly url: URL;

  constructor(
    url: string,
    private readonly policy: AddressPolicy,
  ) {
    this.url = new URL(url);
  }

  async dial(host: string, port: number): Promise<Socket> {
    if (!this.policy.isOpen) await this.check(host);
    const socket = await this.openProxy();
    try {
      if (this.url.protocol.startsWith('socks')) await socksConnect(socket, this.url, { host, port });
      else await httpConnect(socket, this.url, { host, port });
      return socket;
    } catch (error) {
      socket.destroy();
      throw error;
    }
  }

  private async check(host: string): Promise<void> {
    try {
      await resolveChecked(host, this.policy);
    } catch (error) {
      // A name that only the proxy can resolve is not in our networks.
      if ((error as NodeJS.ErrnoException).code !== 'ENOTFOUND') throw error;
    }
  }

  private async openProxy(): Promise<Socket> {
    const host = bareHost(this.url.hostname);
    const secure = this.url.protocol === 'https:';
    const port = Number(this.url.port) || (secure ? 443 : this.url.protocol.startsWith('socks') ? 1080 : 80);
    try {
      const socket = await whenOpen(connect({ host, port }), CONNECT_TIMEOUT_MS, 'connect');
      if (!secure) return socket;
      return await whenOpen(tlsConnect({ socket, servername: host }), CONNECT_TIMEOUT_MS, 'secureConnect');
    } catch (error) {
      throw new UpstreamFailed(`proxy ${this.url.host}: ${errorText(error)}`);
    }
  }
}

function open(address: Resolved, port: number, timeoutMs: number): Promise<Socket> {
  return whenOpen(connect({ host: address.address, family: address.family, port }), timeoutMs, 'connect');
}

function whenOpen<T extends Socket>(socket: T, timeoutMs: number, event: 'connect' | 'secureConnect'): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => socket.destroy(new Error('connection timed out')), timeoutMs);
    socket.once(event, () => {
      clearTimeout(timer);
      socket.removeListener('error', reject);
      socket.setNoDelay(true);
      resolve(socket);
    });
    socket.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
  });
}

interface Target {
  readonly host: string;
  readonly port: number;
}

async function httpConnect(socket: Socket, proxy: URL, { host, port }: Target): Promise<void> {
  const authority = `${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`;
  const auth = proxy.username
    ? `Proxy-Authorization: Basic ${Buffer.from(`${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`).toString('base64')}\r\n`
    : '';
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${auth}\r\n`);
  const head = (await readUntil(socket, (data) => data.indexOf('\r\n\r\n') + 4 || 0)).toString('latin1');
  const status = Number(/^HTTP\/1\.\d (\d{3})/.exec(head)?.[1]);
  if (status === 407 || !status)
    throw new UpstreamFailed(`proxy ${proxy.host} answered ${status || 'nothing readable'}`);
  if (status < 200 || status > 299) throw new Error(`proxy could not connect to ${authority}: ${status}`);
}

/** Connects through a SOCKS5 proxy, RFC 1928 and RFC 1929. */
async function socksConnect(socket: Socket, proxy: URL, { host, port }: Target): Promise<void> {
  const withAuth = proxy.username !== '';
  socket.write(Buffer.from(withAuth ? [5, 2, 0, 2] : [5, 1, 0]));
  const choice = await readUntil(socket, (data) => (data.length >= 2 ? 2 : 0));
  if (choice[1] === 2 && withAuth) {
    const user = Buffer.from(decodeURIComponent(proxy.username));
    const pass = Buffer.from(decodeURIComponent(proxy.password));
    socket.write(Buffer.concat([Buffer.from([1, user.length]), user, Buffer.from([pass.length]), pass]));
    const answer = await readUntil(socket, (data) => (data.length >= 2 ? 2 : 0));
    if (answer[1] !== 0) throw new UpstreamFailed(`proxy ${proxy.host} refused the password`);
  } else if (choice[1] !== 0) {
    throw new UpstreamFailed(`proxy ${proxy.host} wants another login method`);
  }
  const name = Buffer.from(bareHost(host));
  socket.write(Buffer.concat([Buffer.from([5, 1, 0, 3, name.length]), name, Buffer.from([port >> 8, port & 255])]));
  const reply = await readUntil(socket, socksReplyLength);
  if (reply[1] !== 0) throw new Error(`proxy could not connect to ${host}: code ${reply[1]}`);
}

function socksReplyLength(data: Buffer): number {
  if (data.length < 5) return 0;
  const length = data[3] === 1 ? 10 : data[3] === 4 ? 22 : 7 + data[4]!;
  return data.length >= length ? length : 0;
}

/** Reads until `complete` gives a length above 0. Bytes after that length are put back. */
function readUntil(socket: Socket, complete: (data: Buffer) => number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let data: Buffer = Buffer.alloc(0);
    const timer = setTimeout(() => fail(new Error('proxy did not answer')), CONNECT_TIMEOUT_MS);
    const end = () => {
      clearTimeout(timer);
      socket.removeListener('readable', read);
      socket.removeListener('error', fail);
      socket.removeListener('end', closed);
    };
    const fail = (error: Error) => {
      end();
      reject(error);
    };
    const closed = () => fail(new Error('proxy closed the connection'));
    const read = () => {
      let chunk: Buffer | null;
      while ((chunk = socket.read() as Buffer | null) !== null) {
        data = Buffer.concat([data, chunk]);
        const length = complete(data);
        if (length <= 0) continue;
        end();
        if (data.length > length) socket.unshift(data.subarray(length));
        return resolve(data.subarray(0, length));
      }
    };
    socket.on('readable', read);
    socket.once('error', fail);
    socket.once('end', closed);
  });
}
