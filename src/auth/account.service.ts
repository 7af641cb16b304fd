import { Injectable } from '@nestjs/common';
import type { Principal } from '../common/access/access.js';
import { isDuplicateKey } from '../database/org-scoped.js';
import { DomainEvents } from '../events/domain-events.js';
import { UsersRepository } from '../users/data/users.repository.js';
import { UserAlreadyExists } from '../users/users.errors.js';
import { NoUpdatesSpecified } from './auth.errors.js';
import type { UserUpdateEmailName } from '../users/dto/users.dto.js';

/** Changes name and address of the caller's account. Contract: accounts §5. */
@Injectable()
export class AccountService {
  constructor(
    private readonly users: UsersRepository,
    private readonly events: DomainEvents,
  ) {}

  /** Rooms with names or addresses beside ids update by event. @throws NoUpdatesSpecified, UserAlreadyExists */
  async update({ id, email: from }: Principal, { email, name }: UserUpdateEmailName): Promise<void> {
    if (!email && !name) throw new NoUpdatesSpecified();
    try {
      await this.events.transact(async (tx, record) => {
        await this.users.update(id, { ...(email ? { email } : {}), ...(name ? { name } : {}) }, tx);
        if (name) record('user.renamed', { userId: id, name });
        if (email && email !== from) record('user.emailChanged', { userId: id, from, to: email });
      });
    } catch (error) {
      if (isDuplicateKey(error)) throw new UserAlreadyExists();
      throw error;
    }
  }
}
