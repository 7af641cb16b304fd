import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import passport from 'passport';
import { Strategy, type StrategyOptionsWithRequest, type VerifyCallbackWithRequest } from 'passport-jwt';
import { newId } from '../common/ids/uuid.js';

/** Passport keeps strategies by name for the whole process, which may hold several apps: each has names of its own. */
@Injectable()
export class StrategyNames {
  private readonly app = newId();
  readonly login = `login of ${this.app}`;
  readonly replay = `replay of ${this.app}`;
}

/** passport-jwt under a given name, for as long as the app answers requests. */
export class AppStrategy extends Strategy implements OnApplicationShutdown {
  constructor(options: StrategyOptionsWithRequest & { readonly name: string }, verify: VerifyCallbackWithRequest) {
    super(options, verify);
    this.name = options.name;
  }

  onApplicationShutdown(): void {
    passport.unuse(this.name);
  }
}
