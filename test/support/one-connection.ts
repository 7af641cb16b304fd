import { Agent, request, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';

import type { ApiClient } from './api-client.js';

export interface PlainAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** Parsed where it is JSON. */
  body: unknown;
}

/** Requests over one connection, each of which waits until the one before is over: as behind a proxy that keeps them. */
export class OneConnection {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(
    private readonly baseUrl: string,
    private readonly api: ApiClient,
  ) {}

  /** @param path behind `/api` */
  send(method: string, path: string, headers = {}, bytes: Buffer = Buffer.alloc(0)): Promise<PlainAnswer> {
    const own = { authorization: `Bearer ${this.api.token}`, 'content-length': bytes.length };
    const options = { method, agent: this.agent, headers: { ...own, ...headers } };
    return new Promise((resolve, reject) => {
      const sent = request(new URL(`${this.baseUrl}/api${path}`), options, (response) => {
        const { statusCode: status = 0, headers } = response;
        const isJson = headers['content-type']?.startsWith('application/json') ?? false;
        text(response).then((body) => resolve({ status, headers, body: isJson ? JSON.parse(body) : body }), reject);
      });
      sent.once('error', reject).end(bytes);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}
