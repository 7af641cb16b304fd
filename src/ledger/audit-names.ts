import { Injectable } from '@nestjs/common';
import { ServiceAccountsRepository } from '../access-keys/data/service-accounts.repository.js';
import type { AuditEvent } from '../audit/data/audit-event.schema.js';
import { UsersRepository } from '../users/data/users.repository.js';

/** The present names of those who acted. Entries have ids alone, so that a name goes with its account. */
@Injectable()
export class AuditNames {
  constructor(
    private readonly users: UsersRepository,
    private readonly serviceAccounts: ServiceAccountsRepository,
  ) {}

  /** @returns names by ids; those of accounts that are gone are missing */
  async of(events: readonly AuditEvent[]): Promise<Map<string, string>> {
    const idsOf = (kind: AuditEvent['actorKind']): string[] => [
      ...new Set(events.flatMap(({ actor, actorKind }) => (actor && actorKind === kind ? [actor] : []))),
    ];
    const [users, services] = await Promise.all([
      this.users.findByIds(idsOf('user')),
      this.serviceAccounts.findByIdsAcrossOrgs(idsOf('service')),
    ]);
    return new Map([
      ...users.map(({ id, name }) => [id, name] as const),
      ...services.map(({ _id, name }) => [_id, name] as const),
    ]);
  }
}
