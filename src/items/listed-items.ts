import { Injectable } from '@nestjs/common';
import { ProfilesRepository } from '../profiles/data/profiles.repository.js';
import type { Item } from './data/item.schema.js';
import type { CrawlOut } from './dto/items.dto.js';
import { toCrawlOut } from './item.presenter.js';

/** Shows items as lists do, each with the name of its profile. */
@Injectable()
export class ListedItems {
  constructor(private readonly profiles: ProfilesRepository) {}

  /** Profiles are looked up once per org, for all its items. */
  async of(items: readonly Item[]): Promise<CrawlOut[]> {
    const profileIds = new Map<string, Set<string>>();
    for (const { oid, profileid } of items)
      if (profileid) profileIds.set(oid, (profileIds.get(oid) ?? new Set()).add(profileid));
    const named = await Promise.all([...profileIds].map(([oid, ids]) => this.profiles.namesOf(oid, [...ids])));
    const names = new Map(named.flatMap((ofOrg) => [...ofOrg]));
    return items.map((item) =>
      toCrawlOut(item, { profileName: item.profileid ? (names.get(item.profileid) ?? '') : null }),
    );
  }
}
