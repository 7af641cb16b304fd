import { Injectable } from '@nestjs/common';
import { isDuplicateKey } from '../database/org-scoped.js';
import { OrgsRepository } from './data/orgs.repository.js';
import { DuplicateOrgName, DuplicateOrgSlug, DuplicateSubscription, InvalidSlug } from './orgs.errors.js';
import { isSlug, slugFrom } from './rules/slug.js';

export interface UniqueFields {
  readonly _id: string;
  readonly name: string;
  readonly slug: string;
  readonly subId?: string;
}

/** Checks what has to be unique among orgs. Contract: accounts §7.3. */
@Injectable()
export class OrgNames {
  constructor(private readonly orgs: OrgsRepository) {}

  /** Returns the given slug, or one made from the name, or else the id (D12). @throws InvalidSlug */
  slugOf(given: string | null | undefined, name: string, oid: string): string {
    if (!given) return slugFrom(name) || oid;
    if (!isSlug(given)) throw new InvalidSlug();
    return given;
  }

  /**
   * Runs a write. If it meets a duplicate, the error names the value that another org has.
   * @throws DuplicateOrgName, DuplicateSubscription, DuplicateOrgSlug
   */
  async claiming<T>(values: UniqueFields, write: () => Promise<T>): Promise<T> {
    try {
      return await write();
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      const violated = Object.keys(error.keyPattern ?? {}).join();
      const taken = (await this.orgs.takenBy(values)) ?? violated;
      if (taken.includes('subId')) throw new DuplicateSubscription();
      if (taken.includes('slug')) throw new DuplicateOrgSlug();
      throw new DuplicateOrgName();
    }
  }
}
