import type { OnApplicationShutdown } from '@nestjs/common';
import type { Request } from 'express';
import passport from 'passport';
import type { CallerAndOrg } from './resolvers.js';
import type { InvalidCredentials } from '../errors/domain-error.js';

/** A strategy of passport that takes or leaves a request by its look. What it took, no other is asked for. */
export abstract class RequestStrategy extends passport.Strategy implements OnApplicationShutdown {
  constructor(name: string) {
    super();
    this.name = name;
    passport.use(this);
  }

  onApplicationShutdown(): void {
    passport.unuse(this.name ?? '');
  }

  override authenticate(request: Request): void {
    if (!this.takes(request)) return this.fail();
    this.find(request).then(
      (caller) => (caller ? this.success(caller) : this.error(this.refusal())),
      (error: unknown) => this.error(error),
    );
  }

  protected abstract takes(request: Request): boolean;

  /** @returns null for what opens nothing */
  protected abstract find(request: Request): Promise<CallerAndOrg | null>;

  /** The answer to what opens nothing. */
  protected abstract refusal(): InvalidCredentials;
}
