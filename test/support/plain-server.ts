import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP server on a free port of a loopback address. */
export class PlainServer {
  /** Connections it was asked for, whatever came of them. */
  connections = 0;

  private constructor(
    private readonly server: Server,
    private readonly host: string,
  ) {
    server.on('connection', () => (this.connections += 1));
  }

  static async start(answer: RequestListener, host = '127.0.0.1'): Promise<PlainServer> {
    const server = createServer(answer);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, host, resolve);
    });
    return new PlainServer(server, host);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Without a slash at the end. */
  get url(): string {
    return `http://${this.host.includes(':') ? `[${this.host}]` : this.host}:${String(this.port)}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
