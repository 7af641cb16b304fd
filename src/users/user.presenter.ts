import type { UserOrgInfoOut, UserOut } from './dto/users.dto.js';
import type { User } from './data/user.schema.js';

/** The visible fields of a user. */
export type PublicUser = Pick<User, 'id' | 'name' | 'email' | 'is_superuser' | 'is_verified'>;

/** `GET /users/me`, and `user_info` of a login. Contract: accounts §5. */
export const toUserOut = (user: PublicUser, orgs: UserOrgInfoOut[]): UserOut => ({
  id: user.id,
  name: user.name,
  email: user.email,
  is_superuser: user.is_superuser,
  is_verified: user.is_verified,
  orgs,
});
