import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { RequireRole, RequireSuperuser } from '../common/access/access.js';
import { binary, Returns } from '../common/openapi/returns.js';
import { PublicOrigin } from '../links/origins.js';
import { AuditDays } from './audit-days.js';
import { AuditLists } from './audit-lists.js';
import {
  AuditDayOfAllPath,
  AuditDayPath,
  AuditDaysOut,
  AuditDaysQuery,
  AuditEventsOut,
  AuditOrgPath,
  AuditQuery,
} from './dto/audit.dto.js';

const MEDIA_TYPES = { csv: 'text/csv', jsonl: 'text/jsonl' } as const;

/** Sends while it reads. A client that leaves ends the reading, which is no failure. */
async function send(body: Readable, response: Response): Promise<void> {
  try {
    await pipeline(body, response);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}

/** The form that the client asks for. The first is what a client without wishes gets. */
function formatOf({ format }: AuditQuery, { req }: Response): 'json' | 'csv' | 'jsonl' {
  if (format) return format;
  const accepted = req.accepts(['application/json', MEDIA_TYPES.csv, MEDIA_TYPES.jsonl]);
  return accepted === MEDIA_TYPES.csv ? 'csv' : accepted === MEDIA_TYPES.jsonl ? 'jsonl' : 'json';
}

/** What the routes of an org and those of all orgs have in common. */
abstract class AuditRoutes {
  protected constructor(
    private readonly lists: AuditLists,
    private readonly days: AuditDays,
  ) {}

  protected async answer(oid: string | null, query: AuditQuery, response: Response): Promise<void> {
    const format = formatOf(query, response);
    response.set({ Vary: 'Accept', 'Cache-Control': 'no-store' });
    if (format === 'json') {
      response.json(await this.lists.page(oid, query));
      return;
    }
    const name = `audit-${oid ?? 'all'}.${format}`;
    response.type(`${MEDIA_TYPES[format]}; charset=utf-8`).set('Content-Disposition', `attachment; filename="${name}"`);
    await send(Readable.from(this.lists.lines(oid, query, format), { objectMode: false }), response);
  }

  protected async sendDay(oid: string | null, day: string, response: Response): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const { body, length } = await this.days.open(oid, day, gone.signal);
    const name = `${oid ?? 'system'}-audit-${day}.jsonl.gz`;
    response.type('application/gzip').set({
      ...{ 'Content-Length': String(length), 'Cache-Control': 'no-store' },
      'Content-Disposition': `attachment; filename="${name}"`,
    });
    await send(body, response);
  }

  protected listOf(oid: string | null, query: AuditDaysQuery, origin: string): Promise<AuditDaysOut> {
    return this.days.list(oid, query, origin);
  }
}

/** The audit log of all orgs, and of what belongs to none. These routes are ours. */
@ApiTags('audit')
@Controller('orgs/all/audit')
export class AllAuditController extends AuditRoutes {
  constructor(lists: AuditLists, days: AuditDays) {
    super(lists, days);
  }

  /** Lists the audit log of all orgs and of the installation, the newest entry first; or sends it as a file. @throws InvalidCursor */
  @Get()
  @RequireSuperuser()
  @Returns(AuditEventsOut)
  listAllAudit(@Query() query: AuditQuery, @Res() response: Response): Promise<void> {
    return this.answer(null, query, response);
  }

  /** Lists the closed days of the entries that belong to no org. */
  @Get('days')
  @RequireSuperuser()
  @Returns(AuditDaysOut)
  listSystemAuditDays(@Query() query: AuditDaysQuery, @PublicOrigin() origin: string): Promise<AuditDaysOut> {
    return this.listOf(null, query, origin);
  }

  /** The file of a closed day: one JSON object on each line, compressed by gzip. @throws AuditDayNotFound */
  @Get('days/:day/file')
  @RequireSuperuser()
  @Returns(binary(), { contentType: 'application/gzip', notFound: true })
  getSystemAuditDay(@Param() { day }: AuditDayOfAllPath, @Res() response: Response): Promise<void> {
    return this.sendDay(null, day, response);
  }
}

/** The audit log of an org. These routes are ours. */
@ApiTags('audit')
@Controller('orgs/:oid/audit')
export class OrgAuditController extends AuditRoutes {
  constructor(lists: AuditLists, days: AuditDays) {
    super(lists, days);
  }

  /** Lists the audit log of the org, the newest entry first; or sends it as a file. @throws InvalidCursor */
  @Get()
  @RequireRole('owner')
  @Returns(AuditEventsOut)
  listAudit(@Param() { oid }: AuditOrgPath, @Query() query: AuditQuery, @Res() response: Response): Promise<void> {
    return this.answer(oid, query, response);
  }

  /** Lists the closed days of the org's audit log, the newest first. */
  @Get('days')
  @RequireRole('owner')
  @Returns(AuditDaysOut)
  listAuditDays(
    @Param() { oid }: AuditOrgPath,
    @Query() query: AuditDaysQuery,
    @PublicOrigin() origin: string,
  ): Promise<AuditDaysOut> {
    return this.listOf(oid, query, origin);
  }

  /** The file of a closed day: one JSON object on each line, compressed by gzip. @throws AuditDayNotFound */
  @Get('days/:day/file')
  @RequireRole('owner')
  @Returns(binary(), { contentType: 'application/gzip', notFound: true })
  getAuditDay(@Param() { oid, day }: AuditDayPath, @Res() response: Response): Promise<void> {
    return this.sendDay(oid, day, response);
  }
}
