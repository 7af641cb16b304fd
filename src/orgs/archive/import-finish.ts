import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ROLE } from '../../common/access/access.js';
import { canonicalUuid, newId } from '../../common/ids/uuid.js';
import { parseEmail } from '../../common/validation/email.js';
import { invalidInput, type Loc } from '../../common/validation/issue.js';
import { isDuplicateKey } from '../../database/org-scoped.js';
import type { Lease } from '../../database/leases.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { JobStarter } from '../../jobs/job-starter.js';
import { UsersRepository } from '../../users/data/users.repository.js';
import type { User } from '../../users/data/user.schema.js';
import { PasswordHasher } from '../../users/password-hasher.js';
import { InvalidImportData } from './archive.errors.js';
import { OrgArchiveRepository, type ExportedElement } from '../data/org-archive.repository.js';
import { OrgsRepository } from '../data/orgs.repository.js';
import { ImportMarksRepository } from '../data/import-marks.repository.js';
import { OrgNames } from '../org-names.js';

export interface ImportedMembers {
  /** Accounts that the import creates. */
  readonly users: readonly User[];
  /** Ids of accounts in this service, by their ids in the export. */
  readonly userIds: ReadonlyMap<string, string>;
  /** The org's role map, with the ids of this service. */
  readonly roles: Readonly<Record<string, number>>;
}

interface UserDetail {
  readonly id?: unknown;
  readonly role?: unknown;
  readonly name?: unknown;
  readonly email?: unknown;
}

/** Finds the members of an imported org, and makes the import visible in one step. Contract: accounts §10.2. */
@Injectable()
export class ImportFinish {
  constructor(
    private readonly archive: OrgArchiveRepository,
    private readonly orgs: OrgsRepository,
    private readonly names: OrgNames,
    private readonly users: UsersRepository,
    private readonly hasher: PasswordHasher,
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: JobStarter,
    private readonly marks: ImportMarksRepository,
  ) {}

  /**
   * Finds the members' accounts in this service and prepares the missing ones. A new account is unverified and its
   * password is known to nobody.
   * @throws InputRefused with the place of a member who cannot be imported
   */
  async members(details: unknown, loc: Loc): Promise<ImportedMembers> {
    if (!Array.isArray(details ?? [])) throw invalidInput(loc, 'not a list', null, 'import_error');
    const users: User[] = [];
    const userIds = new Map<string, string>();
    const roles: Record<string, number> = {};
    for (const [n, detail] of ((details ?? []) as unknown[]).entries()) {
      const member = memberOf(detail, [...loc, n]);
      const known = await this.users.findByEmail(member.email);
      const twin = users.find(({ email }) => email === member.email);
      const id = known?.id ?? twin?.id ?? newId();
      if (!known && !twin) users.push(await this.newUser(id, member.email, member.name));
      userIds.set(member.id, id);
      roles[id] = member.role;
    }
    return { users, userIds, roles };
  }

  /**
   * Inserts the new accounts and the org in one transaction, while the import holds its lease.
   * @throws InvalidImportData, DuplicateOrgName, …
   */
  async run({ document, loc }: ExportedElement, lease: Lease, { users, roles }: ImportedMembers): Promise<void> {
    const oid = lease.recordId;
    const values = { _id: oid, name: String(document['name']), slug: String(document['slug']) };
    await this.names.claiming(values, async () => {
      try {
        await this.unitOfWork.run(async (tx) => {
          if (!(await this.marks.leases.renew(lease, tx))) throw new InvalidImportData();
          for (const user of users) await this.users.insert(user, tx);
          const isDefault = document['default'] === true && (await this.orgs.findDefault(tx)) === null;
          await this.archive.insertOrg({ document: { ...document, users: roles, default: isDefault }, loc }, tx);
        });
      } catch (error) {
        // An account with the same address was created while the import ran.
        if (isDuplicateKey(error) && error.keyPattern?.['email']) throw new InvalidImportData();
        throw error;
      }
    });
  }

  /** Starts background jobs that recount the figures which collections show of their items. */
  async recount(oid: string): Promise<void> {
    for await (const collection_id of this.archive.collectionIds(oid))
      await this.jobs.start('update-coll-stats', { oid, fields: { collection_id } });
  }

  private async newUser(id: string, email: string, name: string): Promise<User> {
    const hashed_password = await this.hasher.hash(randomBytes(32).toString('base64url'));
    return { id, email, name: name || email, is_superuser: false, is_verified: false, hashed_password };
  }
}

const ROLES: readonly number[] = Object.values(ROLE);

/** Reads a member of the export. @throws InputRefused with the place of the field that is wrong */
function memberOf(detail: unknown, loc: Loc): { id: string; email: string; name: string; role: number } {
  const refused = (field: string, msg: string, value: unknown) =>
    invalidInput([...loc, field], msg, typeof value === 'object' ? null : value, 'import_error');
  if (typeof detail !== 'object' || detail === null) throw invalidInput(loc, 'not an object', null, 'import_error');
  const { id, role, name, email } = detail as UserDetail;
  const parsed = parseEmail(String(email ?? ''));
  if (!('address' in parsed)) throw refused('email', 'not an address', email);
  const oldId = canonicalUuid(String(id ?? ''));
  if (oldId === null) throw refused('id', 'not an id', id);
  // Old exports hold the role as a text.
  const found = ROLES.find((one) => String(one) === String(role));
  if (found === undefined) throw refused('role', 'not a role', role);
  if (typeof (name ?? '') !== 'string') throw refused('name', 'not a text', name);
  return { id: oldId, email: parsed.address, name: String(name ?? ''), role: found };
}
