import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Agent, Dispatcher } from 'undici';
import type { AddressPolicy } from '../../../formats/address/address-policy.js';
import { seconds } from '../units/durations.js';
import { Names } from './names.js';

export interface GuardedRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Limit of the whole exchange, from name look-up to the last kept byte. */
  readonly timeoutMs: number;
  /** Bytes of the answer that are kept. The rest is not read. */
  readonly keepBytes: number;
  /** Addresses that this use may reach: one of the configuration's policies. */
  readonly addresses: AddressPolicy;
  /** Only the status matters: an answer that breaks off or takes too long is returned as far as it came. */
  readonly mayBreakOff?: boolean;
  /** Aborts the exchange. */
  readonly signal?: AbortSignal;
}

export interface GuardedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

const CONNECT_TIMEOUT_MS = seconds(10);
/** Sockets to one host that are kept open between requests. */
const CONNECTIONS_PER_HOST = 16;

async function readUpTo(
  body: Dispatcher.ResponseData['body'],
  keepBytes: number,
  mayBreakOff: boolean,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= keepBytes) break;
    }
  } catch (error) {
    if (!mayBreakOff) throw error;
  }
  return Buffer.concat(chunks).subarray(0, keepBytes);
}

/** The only way to URLs that users give. It follows no redirects, and connects to the very address that it checked. */
@Injectable()
export class GuardedClient implements OnApplicationShutdown {
  private readonly agents = new Map<AddressPolicy, Agent>();

  constructor(private readonly names: Names) {}

  /** @throws AddressRefused, or the transport's error (timeout, refused, TLS, DNS) */
  async send(message: GuardedRequest): Promise<GuardedAnswer> {
    const url = new URL(message.url);
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      throw new TypeError(`unsupported scheme ${url.protocol}`);
    const timeout = AbortSignal.timeout(message.timeoutMs);
    const signal = message.signal ? AbortSignal.any([timeout, message.signal]) : timeout;
    // A megabyte of code, and its data: loaded once something is sent.
    const { request } = await import('undici');
    const answer = await request(url, {
      method: message.method,
      headers: { ...message.headers },
      body: message.body,
      dispatcher: await this.agentOf(message.addresses),
      signal,
    });
    const body = await readUpTo(answer.body, message.keepBytes, message.mayBreakOff ?? false);
    return { status: answer.statusCode, headers: answer.headers, body };
  }

  /** Runs after all work has ended, so it cuts no exchange short. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.agents.values()].map((agent) => agent.destroy()));
  }

  private async agentOf(addresses: AddressPolicy): Promise<Agent> {
    const { guardedAgent } = await import('../../../formats/address/guarded-agent.js');
    const { resolve } = this.names;
    const settings = { connectTimeoutMs: CONNECT_TIMEOUT_MS, connections: CONNECTIONS_PER_HOST, resolve };
    const agent = this.agents.get(addresses) ?? guardedAgent(addresses, settings);
    this.agents.set(addresses, agent);
    return agent;
  }
}
