import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface StubCall {
  readonly method: string;
  readonly url: string;
  readonly authorization: string | undefined;
  readonly body: unknown;
}

/** How the stub answers the next calls; the last one stays. `hang` never answers. */
export type StubAnswer = { status: number; body: string } | 'hang' | 'reset';

export interface BillingStub {
  readonly url: string;
  readonly calls: StubCall[];
  answers: StubAnswer[];
  close(): Promise<void>;
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return text === '' ? null : (JSON.parse(text) as unknown);
}

/** An external billing service on loopback, as faulty as a test asks. */
export async function startBillingStub(): Promise<BillingStub> {
  const calls: StubCall[] = [];
  const stub = { answers: [] as StubAnswer[] };
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const { method = '', url = '', headers } = request;
      calls.push({ method, url, authorization: headers.authorization, body });
      const answer = stub.answers.length > 1 ? stub.answers.shift() : stub.answers[0];
      if (answer === 'hang' || answer === undefined) return;
      if (answer === 'reset') return void request.socket.destroy();
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(stub, {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    calls,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}
