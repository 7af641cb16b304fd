import { Injectable } from '@nestjs/common';
import type { Principal } from '../common/access/access.js';
import { isDuplicateKey } from '../database/org-scoped.js';
import { DomainEvents } from '../events/domain-events.js';
import { UsersRepository } from '../users/data/users.repository.js';
import { PasswordHasher } from '../users/password-hasher.js';
import { UserAlreadyExists } from '../users/users.errors.js';
import { InvalidCurrentPassword, NoUpdatesSpecified } from './auth.errors.js';
import type { UserUpdateEmailName } from '../users/dto/users.dto.js';

/** Changes name and address of the caller's account. Contract: accounts §5. */
@Injectable()
export class AccountService {
  constructor(
    private readonly users: UsersRepository,
    private readonly events: DomainEvents,
    private readonly hasher: PasswordHasher,
  ) {}

  /** Rooms with names or addresses beside ids update by event. @throws NoUpdatesSpecified, InvalidCurrentPassword, UserAlreadyExists */
  async update({ id, email: from }: Principal, { email, name, password }: UserUpdateEmailName): Promise<void> {
    if (!email && !name) throw new NoUpdatesSpecified();
    if (password && !(await this.isPasswordOf(id, password))) throw new InvalidCurrentPassword();
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

  private async isPasswordOf(id: string, password: string): Promise<boolean> {
    const user = await this.users.findById(id);
    return user !== null && this.hasher.verify(password, user.hashed_password);
  }
}
