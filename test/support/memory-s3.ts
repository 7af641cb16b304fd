import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CONTAINER_HOST } from './container-host.js';
import type { MemoryObjectStore } from './memory-object-store.js';

/** The few S3 calls of a crawler in a container, path-style and unsigned, over a store in memory. */
export class MemoryS3 {
  private constructor(
    private readonly server: Server,
    readonly endpointUrl: string,
  ) {}

  static async start(store: MemoryObjectStore): Promise<MemoryS3> {
    const server = createServer((request, response) => void answer(store, request, response));
    await new Promise<void>((resolve) => server.listen(0, CONTAINER_HOST, resolve));
    const { port } = server.address() as AddressInfo;
    return new MemoryS3(server, `http://${CONTAINER_HOST}:${String(port)}/bucket/`);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

async function answer(store: MemoryObjectStore, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const key = decodeURIComponent(new URL(request.url ?? '/', 'http://s3').pathname.replace(/^\/bucket\//, ''));
  try {
    if (request.method === 'PUT') {
      await store.put(key, request);
      response.writeHead(200, { etag: '"stored"' }).end();
      return;
    }
    const { body, length } = await store.get(key);
    response.writeHead(200, { 'content-length': length });
    body.pipe(response);
  } catch {
    request.resume();
    response.writeHead(503).end();
  }
}
