import { createParamDecorator, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { addressOf, clientOf } from '../common/http/request-address.js';
import { parseModel } from '../common/validation/parse-model.js';
import { Links } from '../links/links.js';
import { UsersRepository } from '../users/data/users.repository.js';
import { AccountMails } from './account-mails.js';
import { LoginForm } from './dto/auth.dto.js';
import { LoginLockout, type LoginAttempt } from './login-lockout.js';

interface LoginRequest extends Request {
  loginAttempt?: LoginAttempt;
}

/** Injects the login attempt that the guard admitted. */
export const CurrentAttempt = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<LoginRequest>().loginAttempt,
);

/** Admits a login attempt while its name is not locked. Contract: accounts §3. */
@Injectable()
export class LockoutGuard implements CanActivate {
  constructor(
    private readonly lockout: LoginLockout,
    private readonly users: UsersRepository,
    private readonly mails: AccountMails,
    private readonly links: Links,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<LoginRequest>();
    const form = parseModel(LoginForm, request.body);
    // An invalid form is no attempt: it is refused before the handler.
    if (!form.ok) return true;
    request.loginAttempt = await this.lockout.admit(form.value.username, clientOf(request), (name) =>
      this.mailReset(name, this.links.inMail(addressOf(request))),
    );
    return true;
  }

  private async mailReset(name: string, origin: string): Promise<void> {
    const locked = await this.users.findByEmail(name);
    if (locked) await this.mails.locked(locked, origin);
  }
}
