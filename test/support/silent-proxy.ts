import net, { type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * A wire to a TCP server on loopback that can be cut without a word: connections stay open and new ones are taken, but
 * nothing passes, as when a switch between two machines fails.
 */
export class SilentProxy {
  private readonly pairs = new Set<readonly [Socket, Socket]>();
  private isCut = false;

  private constructor(
    private readonly server: Server,
    private readonly target: number,
  ) {}

  /** @param target port on loopback */
  static async start(target: number): Promise<SilentProxy> {
    const server = net.createServer((socket) => proxy.accept(socket));
    const proxy = new SilentProxy(server, target);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  cut(): void {
    this.isCut = true;
    for (const [near, far] of this.pairs) {
      near.unpipe(far).pause();
      far.unpipe(near).pause();
    }
  }

  /** Connections from before are broken; new ones pass. */
  mend(): void {
    this.isCut = false;
    this.endAll();
  }

  async close(): Promise<void> {
    this.endAll();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private accept(near: Socket): void {
    const far = net.connect(this.target, '127.0.0.1');
    const pair = [near, far] as const;
    this.pairs.add(pair);
    const end = (): void => {
      this.pairs.delete(pair);
      near.destroy();
      far.destroy();
    };
    for (const socket of pair) socket.on('error', end).on('close', end);
    if (this.isCut) near.pause();
    else near.pipe(far).pipe(near);
  }

  private endAll(): void {
    for (const [near, far] of this.pairs) {
      near.destroy();
      far.destroy();
    }
  }
}
