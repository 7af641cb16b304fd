import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Controller, Get, Headers, Param, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Caller, CurrentOrgAccess, RequireRole, type OrgAccess, type Principal } from '../common/access/access.js';
import { PrincipalResolver } from '../common/access/resolvers.js';
import { KeysMayNot } from '../common/access/key-scopes.js';
import { binary, Returns } from '../common/openapi/returns.js';
import { minutes, seconds } from '../common/units/durations.js';
import { OrgPath } from '../orgs/dto/orgs.dto.js';
import { OpenStreams } from './open-streams.js';
import { OrgChanges } from './org-changes.js';
import { ALIVE, changeText, readyText, sinceOf } from './rules/event-text.js';
import type { Follower } from './rules/follower.js';

const ALIVE_MS = seconds(20);
/** A client connects again, and is asked again who it is. */
const LONGEST_MS = minutes(5);
/** Changes that come close together are sent together. */
const GATHER_MS = 200;

/** A client that takes anything may wait for the end of an answer, and there would be none. */
const wantsStream = ({ method, headers: { accept = '' } }: Request): boolean =>
  method === 'GET' && accept.includes('text/event-stream');

@ApiTags('organizations')
@Controller('orgs')
export class OrgStreamController {
  constructor(
    private readonly changes: OrgChanges,
    private readonly streams: OpenStreams,
    private readonly principals: PrincipalResolver,
  ) {}

  /**
   * What changes in the org, as server-sent events (of the HTML standard) without an end. `ready` comes first. Then
   * each event is named for what changed and has the id of the document, where it is known, and a few of its fields
   * as its JSON: `item` (type, cid, state, stats, fileSize, pageCount, finished, deleted), `workflow` (lastCrawlId,
   * lastCrawlState, isCrawlRunning), `org` (bytesStored, quotas, readOnly, readOnlyReason), `job` (to crawlers: type,
   * success, finished), `collection` (crawlCount, pageCount, totalSize, modified), `profile`. `everything`: the
   * client asks anew for what it shows. Several changes of one document may come as one. The service ends a stream
   * after five minutes, and soon after the caller's session; who connects again with `Last-Event-ID` misses nothing and may be told something twice. Who
   * does not ask for `text/event-stream` by name in `Accept` gets what there is at once and no more.
   */
  @Get(':oid/stream')
  @KeysMayNot()
  @Returns(binary(), { contentType: 'text/event-stream' })
  @RequireRole('viewer')
  async followOrg(
    @Param() _path: OrgPath,
    @CurrentOrgAccess() access: OrgAccess,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Caller() caller: Principal,
    @Res() response: Response,
  ): Promise<void> {
    this.streams.enter(caller.id);
    try {
      const { follower, from } = await this.changes.follow(access, sinceOf(lastEventId));
      try {
        response.type('text/event-stream').set({ 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' });
        response.flushHeaders();
        response.write(readyText(from));
        if (wantsStream(response.req)) await send(follower, response, () => this.principals.hasEnded(caller));
        else response.write((await follower.next(0)).map(changeText).join(''));
        response.end();
      } finally {
        this.changes.leave(follower);
      }
    } finally {
      this.streams.leave(caller.id);
    }
  }
}

/**
 * Until the client leaves, the service stops, or the time or the caller's session is over. A client that does not read
 * is not written to.
 */
async function send(follower: Follower, response: Response, hasEnded: () => Promise<boolean>): Promise<void> {
  const { over } = follower;
  response.once('close', () => follower.end());
  const end = setTimeout(() => follower.end(), LONGEST_MS);
  const looks = setInterval(() => {
    // Where it cannot be told now, the next look is soon enough.
    void hasEnded().then(
      (isOver) => isOver && follower.end(),
      () => undefined,
    );
  }, ALIVE_MS);
  try {
    while (!over.aborted) {
      const changes = await follower.next(ALIVE_MS);
      if (over.aborted) break;
      const isTaken = response.write(changes.length > 0 ? changes.map(changeText).join('') : ALIVE);
      await delay(GATHER_MS, null, { signal: over }).catch(() => undefined);
      if (isTaken || !response.writableNeedDrain) continue;
      await once(response, 'drain', { signal: over }).catch(() => response.destroy());
    }
  } finally {
    clearTimeout(end);
    clearInterval(looks);
  }
}
