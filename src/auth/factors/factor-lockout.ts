import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock/clock.js';
import { AppConfig } from '../../config/app-config.js';
import { FactorFailuresRepository } from '../../users/data/login-failures.repository.js';
import { LoginLockout } from '../login-lockout.js';

/**
 * Counts wrong codes of an account as `LoginLockout` counts wrong passwords of an address, and apart from them: neither
 * a password nor a new one clears the count, or whoever has the mailbox could guess on.
 */
@Injectable()
export class FactorLockout extends LoginLockout {
  constructor(failures: FactorFailuresRepository, config: AppConfig, clock: Clock) {
    super(failures, config, clock);
  }
}
