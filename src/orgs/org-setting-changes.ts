import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.js';
import { UnitOfWork, type Tx } from '../database/unit-of-work.js';
import { OrgsReads } from './data/orgs.reads.js';
import { changesOf } from './rules/told-settings.js';

/** Changes settings of orgs in a transaction that tells the audit log what they were and what they are. */
@Injectable()
export class OrgSettingChanges {
  constructor(
    private readonly orgs: OrgsReads,
    private readonly trail: AuditTrail,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** @param change returns false when it changes nothing */
  run<T>(oid: string, change: (tx: Tx) => Promise<T>): Promise<T> {
    return this.unitOfWork.run((tx) => this.within(oid, tx, () => change(tx)));
  }

  /** As `run`, as a part of a larger transaction. */
  async within<T>(oid: string, tx: Tx, change: () => Promise<T>): Promise<T> {
    const before = await this.orgs.findById(oid, tx);
    const result = await change();
    if (result === false) return result;
    for (const told of changesOf(before, await this.orgs.findById(oid, tx)))
      this.trail.changed(told.field, told.before, told.after);
    this.trail.ofOrg(oid);
    return result;
  }
}
