import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export type Fault = 'none' | 500 | 503 | 'hang' | 'short';

/** A way to an S3 server that fails as a test says. Host and signature pass as they are. */
export class FaultyS3 {
  fault: Fault = 'none';
  /** Requests that are hit; all of them unless said otherwise. */
  hits: (request: IncomingMessage) => boolean = () => true;
  /**
   * Without it a request whose sender is gone ends by a reset, as a relay of packets would do it. With it, once it
   * resolves and in good order, as a TLS connection or a proxy may do it: versitygw stores what it has got then.
   */
  endOfBroken: (() => Promise<void>) | null = null;
  /** Requests that ended like that and that the server behind is done with. */
  brokenEnded = 0;
  /**
   * As a proxy that takes a whole request before it passes it on: those that are hit wait for this, and are passed on
   * then, whether their sender still waits or not.
   */
  heldBack: Promise<void> | null = null;
  /** Requests that were taken whole, and those of them that the server behind has answered. */
  held = { taken: 0, answered: 0 };
  /** Methods of the requests that were answered. */
  readonly answered: string[] = [];
  /** Times that the server behind took what had been held back of a body. */
  drains = 0;

  private constructor(
    private readonly server: Server,
    private readonly port: number,
  ) {}

  static async before(port: number): Promise<FaultyS3> {
    const server = createServer();
    const faulty = new FaultyS3(server, port);
    server.on('request', (incoming: IncomingMessage, answer: ServerResponse) => faulty.pass(incoming, answer));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return faulty;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  heal(): void {
    this.fault = 'none';
    this.hits = () => true;
    this.endOfBroken = null;
    this.heldBack = null;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private pass(incoming: IncomingMessage, answer: ServerResponse): void {
    const fault = this.hits(incoming) ? this.fault : 'none';
    if (fault === 'hang') {
      incoming.resume();
      return; // and never answers
    }
    if (fault === 500 || fault === 503) {
      incoming.resume();
      incoming.once('end', () => answer.writeHead(fault).end());
      return;
    }
    if (this.heldBack && this.hits(incoming)) {
      void this.passLate(incoming, answer, this.heldBack);
      return;
    }
    const { method, url: path, headers } = incoming;
    // A connection for each request: an idle one would keep the server behind from ending.
    const onwards = request({ host: '127.0.0.1', port: this.port, path, method, headers, agent: false }, (from) => {
      if (answer.destroyed) {
        from.resume();
        return;
      }
      answer.writeHead(from.statusCode ?? 502, from.headers);
      if (fault !== 'short' || method !== 'GET') {
        from.pipe(answer);
        return;
      }
      // Half of what was promised, and then nothing but the end of the connection.
      from.once('data', (chunk: Buffer) => {
        answer.write(chunk.subarray(0, chunk.length / 2), () => answer.destroy());
        from.destroy();
      });
      from.once('end', () => answer.end());
    });
    onwards.once('error', () => answer.destroy());
    onwards.on('drain', () => (this.drains += 1));
    answer.once('finish', () => this.answered.push(method ?? ''));
    answer.once('close', () => {
      const { socket } = onwards;
      const isBroken = !answer.writableFinished && socket?.writableEnded === false;
      if (isBroken && this.endOfBroken) {
        void this.endOfBroken().then(() => this.end(socket));
        return;
      }
      if (isBroken) socket.resetAndDestroy();
      onwards.destroy();
    });
    incoming.pipe(onwards);
  }

  private async passLate(incoming: IncomingMessage, answer: ServerResponse, until: Promise<void>): Promise<void> {
    const body: Buffer[] = [];
    for await (const chunk of incoming as AsyncIterable<Buffer>) body.push(chunk);
    this.held.taken += 1;
    await until;
    const { method, url: path, headers } = incoming;
    const onwards = request({ host: '127.0.0.1', port: this.port, path, method, headers, agent: false }, (from) => {
      from.once('end', () => (this.held.answered += 1));
      answer.writeHead(from.statusCode ?? 502, from.headers);
      from.pipe(answer);
    });
    onwards.once('error', () => answer.destroy());
    onwards.end(Buffer.concat(body));
  }

  private end(socket: Socket): void {
    socket.once('close', () => (this.brokenEnded += 1));
    socket.end();
  }
}
