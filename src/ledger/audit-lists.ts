import { Injectable } from '@nestjs/common';
import type { AuditEvent } from '../audit/data/audit-event.schema.js';
import { AuditNames } from './audit-names.js';
import { AuditListQueries, type AuditFilter, type AuditPage } from './data/audit-list.queries.js';
import type { AuditPlace } from './data/chain.facts.js';
import type { AuditEventsOut, AuditQuery } from './dto/audit.dto.js';
import { csvHead, csvRowOf } from './rules/audit-csv.js';
import { cursorOf, placeOf } from './rules/audit-cursor.js';
import { lineOf, lineTextOf } from './rules/audit-line.js';

const EXPORTED_AT_ONCE = 999;

type Format = NonNullable<AuditQuery['format']>;

/** The entries of an org, or of all orgs and of none. @param oid of every method: null for all */
@Injectable()
export class AuditLists {
  constructor(
    private readonly queries: AuditListQueries,
    private readonly names: AuditNames,
  ) {}

  /** @throws InvalidCursor */
  async page(oid: string | null, query: AuditQuery): Promise<AuditEventsOut> {
    const after = query.cursor ? placeOf(query.cursor) : null;
    const { rows, next } = await this.read(oid, filterOf(query), after, query.pageSize);
    const names = await this.names.of(rows);
    const items = rows.map((row) => ({ ...lineOf(row), actorName: nameIn(names, row) }));
    return { items, next: next && cursorOf(next) };
  }

  /** All entries that match, newest first, as the lines of a file. They are read as fast as they are taken. */
  async *lines(oid: string | null, query: AuditQuery, format: Exclude<Format, 'json'>): AsyncGenerator<string> {
    const filter = filterOf(query);
    if (format === 'csv') yield csvHead();
    let after: AuditPlace | null = null;
    do {
      const { rows, next }: AuditPage = await this.read(oid, filter, after, EXPORTED_AT_ONCE);
      const names = format === 'csv' ? await this.names.of(rows) : new Map<string, string>();
      const texts = rows.map((row) => (format === 'csv' ? csvRowOf(lineOf(row), nameIn(names, row)) : lineTextOf(row)));
      if (texts.length > 0) yield texts.join('');
      after = next;
    } while (after);
  }

  private read(oid: string | null, filter: AuditFilter, after: AuditPlace | null, limit: number): Promise<AuditPage> {
    return oid === null
      ? this.queries.pageAcrossOrgs(filter, after, limit)
      : this.queries.page(oid, filter, after, limit);
  }
}

const nameIn = (names: ReadonlyMap<string, string>, { actor }: AuditEvent): string | null =>
  (actor && names.get(actor)) ?? null;

/** Fewer entries are about one thing than by one key, of one person, or of one kind. */
function filterOf({ user, key, action, target, outcome, from, to }: AuditQuery): AuditFilter {
  const marks = [target && `t:${target}`, key && `k:${key}`, user && `u:${user}`, action && `a:${action}`];
  return {
    marks: marks.filter((mark): mark is string => Boolean(mark)),
    ...{ outcome: outcome ?? null, from: from ?? null, to: to ?? null },
  };
}
