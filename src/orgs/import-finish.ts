import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { canonicalUuid, newId } from '../common/ids/uuid.js';
import { parseDateTime } from '../common/validation/date-time.js';
import { parseEmail } from '../common/validation/email.js';
import { isDuplicateKey } from '../database/org-scoped.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { JobStarter } from '../jobs/job-starter.js';
import { UsersRepository } from '../users/data/users.repository.js';
import type { User } from '../users/data/user.schema.js';
import { PasswordHasher } from '../users/password-hasher.js';
import { InvalidImportData } from './archive.errors.js';
import { OrgArchiveRepository, type ExportedDocument } from './data/org-archive.repository.js';
import { OrgsRepository } from './data/orgs.repository.js';
import type { ImportLease } from './import-leases.js';
import { OrgNames } from './org-names.js';

export interface ImportedMembers {
  /** Accounts to make. */
  readonly users: readonly User[];
  /** Id here by id in the export. */
  readonly userIds: ReadonlyMap<string, string>;
  /** The org's role map with the ids here. */
  readonly roles: Readonly<Record<string, number>>;
}

interface UserDetail {
  id?: unknown;
  role?: unknown;
  name?: unknown;
  email?: unknown;
}

/** The members of an imported org, and the one step that makes the import visible. Contract: accounts §10.2. */
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
  ) {}

  /** Finds the accounts of the members here, and prepares those that are missing: unverified, with no known password. */
  async members(details: unknown): Promise<ImportedMembers> {
    const users: User[] = [];
    const userIds = new Map<string, string>();
    const roles: Record<string, number> = {};
    for (const detail of Array.isArray(details) ? (details as UserDetail[]) : []) {
      const parsed = parseEmail(String(detail.email ?? ''));
      const oldId = canonicalUuid(String(detail.id ?? ''));
      if (!('address' in parsed) || oldId === null) throw new InvalidImportData();
      const known = await this.users.findByEmail(parsed.address);
      const id = known?.id ?? newId();
      if (!known) users.push(await this.newUser(id, parsed.address, String(detail.name ?? '')));
      userIds.set(oldId, id);
      roles[id] = Number(detail.role);
    }
    return { users, userIds, roles };
  }

  /** Accounts and org, all or nothing, while the import is held. @throws InvalidImportData, DuplicateOrgName, … */
  async run(org: ExportedDocument, lease: ImportLease, { users, roles }: ImportedMembers): Promise<void> {
    const { oid } = lease;
    const values = { _id: oid, name: String(org['name']), slug: String(org['slug']) };
    await this.names.claiming(values, async () => {
      try {
        await this.unitOfWork.run(async (tx) => {
          if (!(await lease.renew(tx))) throw new InvalidImportData();
          for (const user of users) await this.users.insert(user, tx);
          const isDefault = org['default'] === true && (await this.orgs.findDefault(tx)) === null;
          await this.archive.insertOrg({ ...dated(org), _id: oid, users: roles, default: isDefault }, tx);
        });
      } catch (error) {
        // An account of the same address was made while the import ran.
        if (isDuplicateKey(error) && error.keyPattern?.['email']) throw new InvalidImportData();
        throw error;
      }
    });
  }

  /** Collections show figures of their items, which are counted afresh in the background. */
  async recount(oid: string): Promise<void> {
    for await (const collection_id of this.archive.collectionIds(oid))
      await this.jobs.start('update-coll-stats', { oid, fields: { collection_id } });
  }

  private async newUser(id: string, email: string, name: string): Promise<User> {
    const hashed_password = await this.hasher.hash(randomBytes(32).toString('base64url'));
    return { id, email, name: name || email, is_superuser: false, is_verified: false, hashed_password };
  }
}

/** Times inside lists whose shape no schema describes. */
function dated(org: ExportedDocument): ExportedDocument {
  const updates = org['quotaUpdates'];
  if (!Array.isArray(updates)) return org;
  const quotaUpdates = (updates as { modified?: unknown }[]).map((entry) => ({
    ...entry,
    modified: parseDateTime(entry.modified),
  }));
  return { ...org, quotaUpdates };
}
