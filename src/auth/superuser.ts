import { Injectable, Logger } from '@nestjs/common';
import { newId } from '../common/ids/uuid.js';
import { AppConfig } from '../config/app-config.js';
import { isDuplicateKey } from '../database/org-scoped.js';
import { AtStartup } from '../database/startup.js';
import { LoginFailuresRepository } from '../users/data/login-failures.repository.js';
import { UsersRepository } from '../users/data/users.repository.js';
import type { User } from '../users/data/user.schema.js';
import { PasswordHasher } from '../users/password-hasher.js';

/** Creates the first administrator, or updates it from the settings. Contract: accounts §14, D22. */
@Injectable()
export class Superuser {
  private readonly logger = new Logger('accounts');

  constructor(
    private readonly users: UsersRepository,
    private readonly failures: LoginFailuresRepository,
    private readonly hasher: PasswordHasher,
    private readonly config: AppConfig,
  ) {}

  @AtStartup('superuser')
  async ensure(): Promise<void> {
    const existing = await this.users.findSuperuser();
    if (!existing) return this.create();
    // Without SUPERUSER_EMAIL the account keeps later changes.
    if (this.config.accounts.superuserEmailIsSet) await this.rename(existing);
    if (!this.config.accounts.superuserPasswordIsSet) return;
    const current = await this.users.findById(existing.id);
    if (current) await this.resetPassword(current);
  }

  private async create(): Promise<void> {
    const { superuserEmail: email, superuserName: name, superuserPassword } = this.config.accounts;
    const hashed_password = await this.hasher.hash(superuserPassword.reveal());
    try {
      await this.users.insert({ id: newId(), email, name, is_superuser: true, is_verified: false, hashed_password });
      this.logger.log({ event: 'superuser_created', email });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      // Another process made it while starting; otherwise somebody else has the address.
      if (await this.users.findSuperuser()) return;
      this.logger.error({ event: 'superuser_skipped', email, reason: 'the address belongs to a normal user' });
    }
  }

  private async rename(user: User): Promise<void> {
    const { superuserEmail: email, superuserName: name } = this.config.accounts;
    if (user.email === email) return;
    try {
      await this.users.update(user.id, { email, name });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      this.logger.error({ event: 'superuser_not_renamed', email, reason: 'the address belongs to another user' });
    }
  }

  private async resetPassword(user: User): Promise<void> {
    const password = this.config.accounts.superuserPassword.reveal();
    if (await this.hasher.verify(password, user.hashed_password)) return;
    await this.users.setPassword(user.id, await this.hasher.hash(password));
    await this.failures.clear(user.email);
  }
}
