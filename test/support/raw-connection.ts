import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** One connection to the service, on which a test says as much of a request as it wants to. */
export class RawConnection {
  private received = Buffer.alloc(0);
  private isClosed = false;
  private wake = (): void => undefined;

  private constructor(private readonly socket: Socket) {
    socket.on('data', (chunk: Buffer) => {
      this.received = Buffer.concat([this.received, chunk]);
      this.wake();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.isClosed = true;
      this.wake();
    });
  }

  static async open(baseUrl: string): Promise<RawConnection> {
    const { hostname, port } = new URL(baseUrl);
    const socket = connect(Number(port), hostname);
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    return new RawConnection(socket);
  }

  send(text: string | Buffer): void {
    this.socket.write(text);
  }

  /** The head of a request; whatever of the body belongs to it is sent afterwards. */
  begin(method: string, path: string, headers: Record<string, string | number>): void {
    const lines = Object.entries({ host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${String(value)}`);
    this.send(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  }

  /** The next whole answer (of a known length). @throws when the connection ends before it is there */
  async answer(): Promise<RawAnswer> {
    for (;;) {
      const answer = this.takeAnswer();
      if (answer) return answer;
      if (this.isClosed) throw new Error('the connection was closed without an answer');
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  /** Resolves when the connection has ended. */
  async ended(): Promise<void> {
    while (!this.isClosed) await new Promise<void>((resolve) => (this.wake = resolve));
  }

  end(): void {
    this.socket.destroy();
  }

  private takeAnswer(): RawAnswer | null {
    const headEnd = this.received.indexOf('\r\n\r\n');
    if (headEnd < 0) return null;
    const [statusLine = '', ...lines] = this.received.subarray(0, headEnd).toString('latin1').split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    );
    const end = headEnd + 4 + Number(headers['content-length'] ?? 0);
    if (this.received.length < end) return null;
    const body = this.received.subarray(headEnd + 4, end).toString('utf8');
    this.received = this.received.subarray(end);
    return { status: Number(statusLine.split(' ')[1]), headers, body };
  }
}
