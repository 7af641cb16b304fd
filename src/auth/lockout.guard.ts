import { createParamDecorator, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { parseModel } from '../common/validation/parse-model.js';
import { LoginForm } from './dto/auth.dto.js';
import { LoginAttempts } from './login-attempts.js';
import type { LoginAttempt } from './login-lockout.js';

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
  constructor(private readonly attempts: LoginAttempts) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<LoginRequest>();
    const form = parseModel(LoginForm, request.body);
    // An invalid form is no attempt: it is refused before the handler.
    if (!form.ok) return true;
    request.loginAttempt = await this.attempts.admit(form.value.username, request);
    return true;
  }
}
