import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/audit-trail.js';
import { ROLE, type Principal } from '../../common/access/access.js';
import { isDuplicateKey } from '../../database/org-scoped.js';
import { UnitOfWork, type Tx } from '../../database/unit-of-work.js';
import { UsersRepository } from '../../users/data/users.repository.js';
import type { User } from '../../users/data/user.schema.js';
import { OrgMembersRepository } from '../data/org-members.repository.js';
import { OrgsRepository } from '../data/orgs.repository.js';
import type { Org } from '../data/org.schema.js';
import {
  AlreadyMember,
  NoSuchOrgUser,
  NoSuchUser,
  NoUserFound,
  OnlyOwner,
  OwnRole,
  RoleRefused,
} from './members.errors.js';
import { slugFrom } from '../rules/slug.js';

/** Number of tries to name an org when another org takes the name between look-up and write. */
const NAME_ROUNDS = 5;

/** Adds and removes members of orgs and changes their roles. Contract: accounts §6.4, §6.5. */
@Injectable()
export class Membership {
  constructor(
    private readonly orgs: OrgsRepository,
    private readonly members: OrgMembersRepository,
    private readonly users: UsersRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly trail: AuditTrail,
  ) {}

  /**
   * Runs a change that ends in `join`, in one transaction. The change runs again when another org took the name
   * meanwhile.
   * @param change a function that may run several times
   */
  async joining<T>(change: (tx: Tx) => Promise<T>): Promise<T> {
    for (let round = 1; ; round++) {
      try {
        return await this.unitOfWork.run(change);
      } catch (error) {
        const isNameTaken =
          isDuplicateKey(error) && Object.keys(error.keyPattern ?? {}).some((k) => /name|slug/.test(k));
        if (!isNameTaken || round === NAME_ROUNDS) throw error;
      }
    }
  }

  /**
   * Adds a member. The first member of an org without a name of its own gives the org its name.
   * @throws AlreadyMember
   */
  async join(oid: string, user: Pick<User, 'id' | 'name'>, role: number, tx: Tx): Promise<Org> {
    const added = await this.members.add(oid, user.id, role, tx);
    const org = await this.orgs.findById(oid, tx);
    if (!org || !added) throw new AlreadyMember();
    this.tell(user.id, null, role);
    this.trail.ofOrg(oid);
    if (org.name !== org._id || Object.keys(org.users ?? {}).length !== 1) return org;
    const named = await this.freeName(`${user.name}’s Archive`, oid, tx);
    await this.orgs.set(oid, named, { tx });
    return { ...org, ...named };
  }

  /** Changes a member's role. @throws NoUserFound, OwnRole, NoSuchUser 400; RoleRefused 403 */
  async changeRole(org: Org, caller: Principal, email: string, role: number): Promise<void> {
    assertRoleAllowed(caller, role);
    const user = await this.users.findByEmail(email);
    if (!user) throw new NoUserFound();
    if (user.id === caller.id) throw new OwnRole();
    const by = actingOwner(caller);
    const isChanged = await this.unitOfWork.run(async (tx) => {
      this.tell(user.id, await this.roleOf(org._id, user.id, tx), role);
      return this.members.setRole(org._id, user.id, { role, by }, tx);
    });
    if (isChanged) return;
    throw (await this.isMember(org._id, user.id)) ? new RoleRefused() : new NoSuchUser();
  }

  /**
   * Removes a member. Owners may remove themselves, unless they are the last owner.
   * @throws NoSuchOrgUser 404, OnlyOwner 400, RoleRefused 403
   */
  async remove(org: Org, caller: Principal, email: string): Promise<void> {
    const user = await this.users.findByEmail(email);
    if (!user) throw new NoSuchOrgUser();
    const isRemoved = await this.unitOfWork.run(async (tx) => {
      this.tell(user.id, await this.roleOf(org._id, user.id, tx), null);
      return this.members.remove(org._id, user.id, actingOwner(caller), tx);
    });
    if (isRemoved) return;
    const now = await this.orgs.findById(org._id);
    if (now?.users?.[user.id] === undefined) throw new NoSuchOrgUser();
    const callerRole = now.users[caller.id] ?? 0;
    throw caller.isSuperuser || callerRole >= ROLE.owner ? new OnlyOwner() : new RoleRefused();
  }

  private async isMember(oid: string, userId: string): Promise<boolean> {
    return (await this.roleOf(oid, userId)) !== null;
  }

  private async roleOf(oid: string, userId: string, tx?: Tx): Promise<number | null> {
    return (await this.orgs.findById(oid, tx))?.users?.[userId] ?? null;
  }

  private tell(userId: string, before: number | null, after: number | null): void {
    this.trail.about('user', userId);
    this.trail.changed('role', before, after);
  }

  /** Returns the name, or the name with the first free number. Such a name may be longer than 50 characters. */
  private async freeName(base: string, oid: string, tx: Tx): Promise<{ name: string; slug: string }> {
    for (let n = 1; ; n++) {
      const name = n === 1 ? base : `${base} ${n}`;
      const slug = slugFrom(name) || oid;
      if (!(await this.orgs.isNameOrSlugTaken(name, slug, tx))) return { name, slug };
    }
  }
}

const actingOwner = ({ id, isSuperuser, key }: Principal): string | null =>
  isSuperuser || key?.isOfSuperuser || key?.serviceRole !== undefined ? null : id;

/** Checks that the caller may grant a role. Only a superuser may grant 100 (D9). @throws RoleRefused */
export function assertRoleAllowed({ isSuperuser }: Pick<Principal, 'isSuperuser'>, role: number): void {
  if (role > ROLE.owner && !isSuperuser) throw new RoleRefused();
}
