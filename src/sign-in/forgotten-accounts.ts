import { Injectable } from '@nestjs/common';
import type { DomainEvent } from '../events/event-types.js';
import { OnFact } from '../events/on-fact.js';
import { UsersRepository } from '../users/data/users.repository.js';
import { IdentitiesRepository } from './data/identities.repository.js';

/** Forgets who the holders of deleted accounts are elsewhere. */
@Injectable()
export class ForgottenAccounts {
  constructor(
    private readonly identities: IdentitiesRepository,
    private readonly users: UsersRepository,
  ) {}

  @OnFact('users.deleted', 'sign-in.identities')
  async forget({ payload: { userIds } }: DomainEvent<'users.deleted'>): Promise<void> {
    // Superusers are kept.
    const kept = new Set((await this.users.findByIds(userIds)).map(({ id }) => id));
    await this.identities.deleteOf(userIds.filter((id) => !kept.has(id)));
  }
}
