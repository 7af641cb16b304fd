import { Injectable } from '@nestjs/common';
import { ROLE } from '../common/access/access.js';
import { UsersRepository } from '../users/data/users.repository.js';
import type { User } from '../users/data/user.schema.js';
import type { Org } from './data/org.schema.js';

/** Whom mails about an org go to: members with the owner's role or more whose accounts still exist. */
@Injectable()
export class OrgOwners {
  constructor(private readonly users: UsersRepository) {}

  of(org: Pick<Org, 'users'>): Promise<User[]> {
    const ids = Object.entries(org.users ?? {}).flatMap(([id, role]) => (role >= ROLE.owner ? [id] : []));
    return this.users.findByIds(ids);
  }
}
