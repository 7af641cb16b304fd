import { Injectable } from '@nestjs/common';
import type { Principal } from '../../common/access/access.js';
import { SecondFactorDemanded } from '../../common/errors/domain-error.js';
import { SecondFactorsRepository } from '../../users/data/second-factors.repository.js';
import { UsersRepository } from '../../users/data/users.repository.js';
import { OrgsRepository } from '../data/orgs.repository.js';
import type { Org } from '../data/org.schema.js';
import type { OrgSecondFactorOut } from '../dto/org-members.dto.js';
import { OrgSettingChanges } from '../org-setting-changes.js';

/** Whether an org wants a second factor of its members, and who has one. ADR 0056. */
@Injectable()
export class MembersFactors {
  constructor(
    private readonly orgs: OrgsRepository,
    private readonly users: UsersRepository,
    private readonly factors: SecondFactorsRepository,
    private readonly changes: OrgSettingChanges,
  ) {}

  async show({ users: roles, secondFactorDemanded }: Org): Promise<OrgSecondFactorOut> {
    const ids = Object.keys(roles ?? {});
    const [members, having] = await Promise.all([this.users.findByIds(ids), this.factors.having(ids)]);
    return {
      demanded: secondFactorDemanded ?? false,
      members: members.map(({ id, name, email }) => ({ name, email, hasSecondFactor: having.has(id) })),
    };
  }

  /** Nobody locks themselves out. @throws SecondFactorDemanded */
  async demand(oid: string, { lacksFactor }: Principal, demanded: boolean): Promise<void> {
    if (demanded && lacksFactor) throw new SecondFactorDemanded();
    await this.changes.run(oid, (tx) => this.orgs.set(oid, { secondFactorDemanded: demanded }, { tx }));
  }
}
