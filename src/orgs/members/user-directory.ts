import { Injectable } from '@nestjs/common';
import { pageBounds, pageOf, type ListPage, type PageQuery } from '../../common/pagination/page.js';
import { UsersRepository } from '../../users/data/users.repository.js';
import type { UserOutNoId } from '../../users/dto/users.dto.js';
import { UserOrgs } from './user-orgs.js';

/** Lists all accounts but superusers', with their orgs. Contract: accounts §5 `GET /users/emails`. */
@Injectable()
export class UserDirectory {
  constructor(
    private readonly users: UsersRepository,
    private readonly userOrgs: UserOrgs,
  ) {}

  async list(query: PageQuery): Promise<ListPage<UserOutNoId>> {
    const [users, total] = await Promise.all([this.users.listNormal(pageBounds(query)), this.users.countNormal()]);
    const orgs = await this.userOrgs.ofMany(users.map(({ id }) => id));
    const rows = users.map(({ id, name, email, is_verified }) => ({
      name,
      email,
      is_verified,
      orgs: orgs.get(id) ?? [],
    }));
    return pageOf(query, total, rows);
  }
}
