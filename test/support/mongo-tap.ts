import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { mongo } from 'mongoose';

const OP_MSG = 2013;
const HEADER_BYTES = 16;
const SEEN = 30;
/** Behind header and flags: the kind of the first section, which is the command's document. */
const BODY_AT = HEADER_BYTES + 4 + 1;

export interface TappedCommand {
  /** `insert`, `update`, `commitTransaction`, … */
  readonly name: string;
  /** Of commands on a collection, else empty. */
  readonly collection: string;
  readonly body: Readonly<Record<string, unknown>>;
}

type Match = (command: TappedCommand) => boolean;

interface Cut {
  readonly match: Match;
  /** Whether the command still reaches the server; its answer never comes back. */
  readonly lastOneArrives: boolean;
  readonly done: () => void;
}

/** Messages of MongoDB's wire protocol in a byte stream. */
class Messages {
  private pending = Buffer.alloc(0);

  *push(chunk: Buffer): Generator<Buffer> {
    this.pending = Buffer.concat([this.pending, chunk]);
    while (this.pending.length >= HEADER_BYTES) {
      const length = this.pending.readInt32LE(0);
      if (this.pending.length < length) return;
      yield this.pending.subarray(0, length);
      this.pending = this.pending.subarray(length);
    }
  }
}

function commandIn(message: Buffer): TappedCommand | null {
  if (message.readInt32LE(12) !== OP_MSG || message[BODY_AT - 1] !== 0) return null;
  const length = message.readInt32LE(BODY_AT);
  const body = mongo.BSON.deserialize(message.subarray(BODY_AT, BODY_AT + length)) as Record<string, unknown>;
  const [name = ''] = Object.keys(body);
  return { name, collection: typeof body[name] === 'string' ? body[name] : '', body };
}

/**
 * A wire between a program and mongod that can be cut before or behind any single command, so that a process can be
 * killed exactly between two steps.
 */
export class MongoTap {
  /** Connects through the tap. */
  readonly url: string;
  private readonly sockets = new Set<net.Socket>();
  /** Sessions with an open transaction, by their id in hex. */
  private readonly open = new Map<string, unknown>();
  /** The last commands that went by, for the message when the awaited one does not come. */
  readonly seen: string[] = [];
  private cut: Cut | null = null;
  private isCut = false;

  private constructor(
    private readonly server: net.Server,
    private readonly upstream: URL,
  ) {
    const url = new URL(upstream);
    url.host = `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    this.url = url.href;
  }

  static async start(upstreamUrl: string): Promise<MongoTap> {
    const server = net.createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const tap = new MongoTap(server, new URL(upstreamUrl));
    server.on('connection', (socket) => tap.join(socket));
    return tap;
  }

  /** Resolves when a matching command was sent; neither it nor anything after it reaches the server. */
  cutBefore(match: Match): Promise<void> {
    return this.arm(match, false);
  }

  /** Resolves when the server has answered a matching command; the answer does not come back. */
  cutBehind(match: Match): Promise<void> {
    return this.arm(match, true);
  }

  /** Joins the wire again, for the next process. @returns the sessions whose transactions the cut left open */
  mend(): unknown[] {
    for (const socket of this.sockets) socket.destroy();
    this.cut = null;
    this.isCut = false;
    const left = [...this.open.values()];
    this.open.clear();
    return left;
  }

  async close(): Promise<void> {
    this.mend();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private arm(match: Match, lastOneArrives: boolean): Promise<void> {
    return new Promise((done) => (this.cut = { match, lastOneArrives, done }));
  }

  private join(client: net.Socket): void {
    const server = net.connect(Number(this.upstream.port), this.upstream.hostname);
    for (const socket of [client, server]) {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.sockets.delete(socket);
        (socket === client ? server : client).destroy();
      });
    }
    const [requests, answers] = [new Messages(), new Messages()];
    let awaited: number | null = null;
    client.on('data', (chunk: Buffer) => {
      for (const message of requests.push(chunk)) awaited = this.request(message, server) ?? awaited;
    });
    server.on('data', (chunk: Buffer) => {
      for (const message of answers.push(chunk)) {
        if (message.readInt32LE(8) === awaited) this.finish();
        else if (!this.isCut) client.write(message);
      }
    });
  }

  /** @returns the id of the request whose answer is to end the wire */
  private request(message: Buffer, server: net.Socket): number | null {
    if (this.isCut) return null;
    const command = commandIn(message);
    const isLast = command !== null && this.cut !== null && this.cut.match(command);
    this.isCut = isLast;
    if (isLast && !this.cut?.lastOneArrives) {
      this.finish();
      return null;
    }
    if (command) {
      this.noteSession(command);
      this.seen.push(`${command.name} ${command.collection}`);
      if (this.seen.length > SEEN) this.seen.shift();
    }
    server.write(message);
    return isLast ? message.readInt32LE(4) : null;
  }

  private noteSession({ name, body }: TappedCommand): void {
    const id = idOf(body['lsid']);
    if (body['startTransaction'] === true) this.open.set(id, body['lsid']);
    if (/^(commit|abort)Transaction$/.test(name)) this.open.delete(id);
  }

  private finish(): void {
    this.cut?.done();
  }
}

const idOf = (lsid: unknown): string => (lsid as { id?: mongo.Binary } | undefined)?.id?.toString('hex') ?? '';
