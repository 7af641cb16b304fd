import { Injectable } from '@nestjs/common';
import { newId } from '../../common/ids/uuid.js';
import { isDuplicateKey } from '../../database/org-scoped.js';
import { UsersRepository } from '../../users/data/users.repository.js';
import { assertPassword, PasswordHasher } from '../../users/password-hasher.js';
import { UserAlreadyExists } from '../../users/users.errors.js';
import type { AddToOrgRequest } from '../dto/org-members.dto.js';
import { Membership } from './membership.js';

/** Creates accounts that a superuser adds to an org. Contract: accounts §6.5. */
@Injectable()
export class NewMembers {
  constructor(
    private readonly users: UsersRepository,
    private readonly membership: Membership,
    private readonly hasher: PasswordHasher,
  ) {}

  /**
   * Creates an account and adds it to the org. The account counts as verified, because a superuser vouches for it.
   * @throws InvalidPassword, UserAlreadyExists 400
   */
  async add(oid: string, { email, name, password, role }: AddToOrgRequest): Promise<void> {
    assertPassword(password);
    if (await this.users.findByEmail(email)) throw new UserAlreadyExists();
    const hashed_password = await this.hasher.hash(password);
    const user = { id: newId(), email, name, is_superuser: false, is_verified: true, hashed_password };
    try {
      await this.membership.joining(async (tx) => {
        await this.users.insert(user, tx);
        await this.membership.join(oid, user, role, tx);
      });
    } catch (error) {
      // A failed insert in a transaction does not tell which unique index refused it.
      if (isDuplicateKey(error) && (await this.users.findByEmail(email))) throw new UserAlreadyExists();
      throw error;
    }
  }
}
