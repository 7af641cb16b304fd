import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { WebSocket, WebSocketServer } from 'ws';
import { Discovered } from '../discovery/discovered.js';
import { Mark, type Found, type MethodMarker } from '../discovery/mark.js';
import { ROLE, type OrgAccess, type Principal, type RoleName } from '../access/access.js';
import { OrgResolver, PrincipalResolver, type CallerAndOrg } from '../access/resolvers.js';
import { bearerToken } from '../access/token.js';
import { SecondFactorDemanded } from '../errors/domain-error.js';
import { parseUrl } from '../text/parse-url.js';
import { canonicalUuid } from '../ids/uuid.js';
import { seconds } from '../units/durations.js';

/** The far end of a viewer's socket, e.g. a crawl's screencast or a profile browser; text frames only. */
export interface SocketPeer {
  send(text: string): void;
  close(): void;
  onMessage(handler: (text: string) => void): void;
  onClose(handler: () => void): void;
}

export interface SocketCaller {
  readonly principal: Principal;
  readonly org: OrgAccess;
}

/** A kind of web socket that the service offers, outside the API's routes. */
export interface SocketRoute {
  /** Matches the whole path. Its named groups are the parameters; `oid` is one of them, or is in the query. */
  readonly path: RegExp;
  /** Role that the caller needs in the org. */
  readonly role: RoleName;
}

/** @returns null when there is nothing to show: the upgrade is refused with 404 */
type OpenSocket = (params: Readonly<Record<string, string>>, caller: SocketCaller) => Promise<SocketPeer | null>;

const ROUTES = new Mark<SocketRoute, OpenSocket>();

/** Marks the method that opens the far end of web sockets at this path. */
export const OpensSocket = (route: SocketRoute): MethodMarker<OpenSocket> => ROUTES.onMethod(route);

/** Longest message of a viewer: input events are small. */
const MAX_MESSAGE_BYTES = 64 * 1024;
/** A viewer that is this far behind is disconnected, so that it slows nobody else down. */
const MAX_BEHIND_BYTES = 8 * 1024 * 1024;
const PING_MS = seconds(20);
const GOING_AWAY = 1001;
/** RFC 6455 §7.4.1: a message, here the whole connection, is against the rules. */
const NOT_ALLOWED = 1008;

interface Refusal {
  readonly status: string;
  readonly detail: string;
}

/** Answers upgrade requests: identifies the caller, checks the role, and opens the far end. */
@Injectable()
export class SocketUpgrades implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private routes: readonly Found<SocketRoute, OpenSocket>[] = [];
  private readonly sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES });
  private readonly logger = new Logger('sockets');
  private server: Server | undefined;

  constructor(
    private readonly adapter: HttpAdapterHost,
    private readonly principals: PrincipalResolver,
    private readonly orgs: OrgResolver,
    private readonly discovered: Discovered,
  ) {}

  onApplicationBootstrap(): void {
    this.routes = this.discovered.with(ROUTES);
    this.server = this.adapter.httpAdapter.getHttpServer() as Server;
    this.server.on('upgrade', this.onUpgrade);
  }

  beforeApplicationShutdown(): void {
    this.server?.off('upgrade', this.onUpgrade);
    for (const socket of this.sockets.clients) socket.close(GOING_AWAY);
    this.sockets.close();
  }

  private readonly onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    socket.on('error', () => socket.destroy());
    this.upgrade(request, socket, head).catch((error: unknown) => {
      this.logger.error({ event: 'upgrade_failed', err: error });
      refuse(socket, { status: '500 Internal Server Error', detail: 'internal_error' });
    });
  };

  private async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const opened = await this.openFor(request);
    if ('status' in opened) return refuse(socket, opened);
    const { peer, principal } = opened;
    if (socket.destroyed) return peer.close();
    const hasEnded = () => this.principals.hasEnded(principal);
    this.sockets.handleUpgrade(request, socket, head, (viewer) => join(viewer, peer, hasEnded));
  }

  private async openFor(request: IncomingMessage): Promise<{ peer: SocketPeer; principal: Principal } | Refusal> {
    const url = parseUrl(request.url ?? '/', 'http://localhost');
    if (!url) return NOTHING_HERE;
    for (const { mark: route, wearer: open } of this.routes) {
      const groups = route.path.exec(url.pathname)?.groups;
      if (!groups) continue;
      const params = { ...groups, oid: groups['oid'] ?? url.searchParams.get('oid') ?? '' };
      const caller = await this.callerOf(request, url, params.oid, route.role);
      if ('status' in caller) return caller;
      const peer = await open({ ...params, oid: caller.org.oid }, caller);
      return peer ? { peer, principal: caller.principal } : NOTHING_HERE;
    }
    return NOTHING_HERE;
  }

  private async callerOf(
    { headers }: IncomingMessage,
    url: URL,
    givenOid: string,
    role: RoleName,
  ): Promise<SocketCaller | Refusal> {
    const token = bearerToken(headers, Object.fromEntries(url.searchParams));
    // A missing login is told before a malformed org id.
    const caller = token ? await this.principals.fromLogin(token, canonicalUuid(givenOid)) : null;
    if (!caller) return { status: '401 Unauthorized', detail: 'invalid_credentials' };
    const org = this.accessOf(caller);
    if (org === 'second-factor') return { status: '403 Forbidden', detail: 'second_factor_demanded' };
    if (!org) return { status: '404 Not Found', detail: 'org_not_found' };
    if (org.role < ROLE[role]) return { status: '403 Forbidden', detail: 'Not Allowed' };
    return { principal: caller.principal, org };
  }

  private accessOf(caller: CallerAndOrg): OrgAccess | null | 'second-factor' {
    try {
      return this.orgs.accessOf(caller);
    } catch (error) {
      if (error instanceof SecondFactorDemanded) return 'second-factor';
      throw error;
    }
  }
}

const NOTHING_HERE: Refusal = { status: '404 Not Found', detail: 'Not Found' };

function refuse(socket: Duplex, { status, detail }: Refusal): void {
  const body = JSON.stringify({ detail });
  const head = `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${String(body.length)}`;
  socket.end(`${head}\r\nConnection: close\r\n\r\n${body}`);
}

/**
 * Passes text both ways until either side ends, or the caller's session has. Pings detect a viewer that vanished.
 * @param hasEnded whether the session has; where that cannot be told now, it is asked at the next ping
 */
function join(viewer: WebSocket, peer: SocketPeer, hasEnded: () => Promise<boolean>): void {
  let isAlive = true;
  const pings = setInterval(() => {
    if (!isAlive) return viewer.terminate();
    isAlive = false;
    viewer.ping();
    hasEnded().then(
      (isOver) => isOver && viewer.close(NOT_ALLOWED),
      () => undefined,
    );
  }, PING_MS);
  viewer.on('pong', () => (isAlive = true));
  viewer.on('error', () => viewer.terminate());
  viewer.on('close', () => {
    clearInterval(pings);
    peer.close();
  });
  viewer.on('message', (data: Buffer, isBinary) => {
    isAlive = true;
    if (!isBinary) peer.send(data.toString());
  });
  peer.onMessage((text) => {
    if (viewer.bufferedAmount > MAX_BEHIND_BYTES) viewer.terminate();
    else if (viewer.readyState === WebSocket.OPEN) viewer.send(text);
  });
  peer.onClose(() => viewer.close(1000));
}
