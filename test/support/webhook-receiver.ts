import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  body: any;
}

export interface WebhookReceiver {
  readonly url: string;
  readonly received: Received[];
  /** Answers from now on; 200 unless set. */
  answer: (request: Received, response: ServerResponse) => void;
  close(): Promise<void>;
}

/** A real HTTP server on loopback that keeps what it is sent. */
export async function startReceiver(): Promise<WebhookReceiver> {
  const receiver = {
    received: [] as Received[],
    answer: (_: Received, response: ServerResponse) => void response.end('ok'),
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const kept: Received = {
        path: request.url ?? '',
        headers: request.headers,
        text,
        body: text ? JSON.parse(text) : null,
      };
      receiver.received.push(kept);
      receiver.answer(kept, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return Object.assign(receiver, {
    url,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}
