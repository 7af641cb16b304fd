import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

/**
 * A host as the web client has it: its own pages, with everything below `/api/` and `/browser/` passed on to the service,
 * sockets too. Other paths of the service are not there.
 */
export class ClientHost {
  /** The client's page. */
  page = '';
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly service: URL) {
    this.server = createServer((incoming, response) => {
      if (!isPassedOn(incoming)) {
        const isPage = incoming.url === '/';
        const status = isPage ? 200 : incoming.url === '/favicon.ico' ? 204 : 404;
        response.writeHead(status, { 'content-type': 'text/html' }).end(isPage ? this.page : undefined);
        return;
      }
      const { url, method, headers } = incoming;
      const passed = request(new URL(url ?? '/', service), { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      passed.on('error', () => response.destroy());
      incoming.pipe(passed);
    });
    this.server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
    });
    this.server.on('upgrade', (incoming, socket, head) => this.passUpgrade(incoming, socket as Socket, head));
  }

  static async start(serviceUrl: string): Promise<ClientHost> {
    const host = new ClientHost(new URL(serviceUrl));
    await new Promise<void>((resolve) => host.server.listen(0, '127.0.0.1', resolve));
    return host;
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}`;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private passUpgrade(incoming: IncomingMessage, socket: Socket, head: Buffer): void {
    const service = connect(Number(this.service.port), this.service.hostname, () => {
      const lines = incoming.rawHeaders.reduce((text, part, n) => text + part + (n % 2 ? '\r\n' : ': '), '');
      service.write(`GET ${incoming.url ?? '/'} HTTP/1.1\r\n${lines}\r\n`);
      service.write(head);
      service.pipe(socket).pipe(service);
    });
    service.on('error', () => socket.destroy());
    socket.on('error', () => service.destroy());
    socket.on('close', () => service.destroy());
  }
}

const isPassedOn = ({ url }: IncomingMessage): boolean => /^\/(api|browser)\//.test(url ?? '');
