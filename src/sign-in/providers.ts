import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import { GuardedClient } from '../common/http/guarded-client.js';
import { AppConfig } from '../config/app-config.js';
import { ProviderClient } from './provider-client.js';
import { loadProviders } from './rules/provider-settings.js';
import { SignInProviderNotFound } from './sign-in.errors.js';

/** The providers of the deployment. */
@Injectable()
export class Providers {
  readonly all: readonly ProviderClient[];

  constructor(config: AppConfig, client: GuardedClient, clock: Clock) {
    const addresses = config.addresses['sign-in'];
    const settings = loadProviders(config.auth.oidcProvidersFile, config.auth.oidcAllowsHttp);
    this.all = settings.map((one) => new ProviderClient(one, { client, addresses, clock }));
  }

  /** @throws SignInProviderNotFound */
  get(id: string): ProviderClient {
    const provider = this.all.find(({ settings }) => settings.id === id);
    if (!provider) throw new SignInProviderNotFound();
    return provider;
  }
}
