import { Injectable } from '@nestjs/common';
import type { Principal } from '../common/access/access.js';
import type { CallerAndOrg } from '../common/access/resolvers.js';
import { UsersRepository } from '../users/data/users.repository.js';
import type { User } from '../users/data/user.schema.js';
import { CallersQueries } from './data/callers.queries.js';

export const toPrincipal = (user: User): Principal => ({
  id: user.id,
  email: user.email,
  name: user.name,
  isSuperuser: user.is_superuser,
  isVerified: user.is_verified,
});

/** Finds callers by id, in the form that access rules need. */
@Injectable()
export class Callers {
  constructor(
    private readonly users: UsersRepository,
    private readonly queries: CallersQueries,
  ) {}

  /**
   * @param oid the request's org, which is read with the user; null for a request without one
   * @returns null for an unknown user
   */
  async find(userId: string, oid: string | null): Promise<CallerAndOrg | null> {
    const { user, org } =
      oid === null
        ? { user: await this.users.findById(userId), org: null }
        : await this.queries.userAndOrg(userId, oid);
    return user && { principal: toPrincipal(user), org };
  }

  async superuser(): Promise<Principal | null> {
    const superuser = await this.users.findSuperuser();
    return superuser && toPrincipal(superuser);
  }
}
