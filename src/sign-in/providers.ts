import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import { GuardedClient } from '../common/http/guarded-client.js';
import { AppConfig } from '../config/app-config.js';
import type { ProviderClient } from './provider-client.js';
import { loadProviders, type ProviderSettings } from './rules/provider-settings.js';
import { SignInProviderNotFound } from './sign-in.errors.js';

/** The providers of the deployment. What speaks with them is loaded where there are any. */
@Injectable()
export class Providers implements OnModuleInit {
  all: readonly ProviderClient[] = [];
  private readonly settings: readonly ProviderSettings[];

  constructor(
    private readonly config: AppConfig,
    private readonly client: GuardedClient,
    private readonly clock: Clock,
  ) {
    this.settings = loadProviders(config.auth.oidcProvidersFile, config.auth.oidcAllowsHttp);
  }

  async onModuleInit(): Promise<void> {
    if (this.settings.length === 0) return;
    const { ProviderClient } = await import('./provider-client.js');
    const by = { client: this.client, addresses: this.config.addresses['sign-in'], clock: this.clock };
    this.all = this.settings.map((one) => new ProviderClient(one, by));
  }

  /** @throws SignInProviderNotFound */
  get(id: string): ProviderClient {
    const provider = this.all.find(({ settings }) => settings.id === id);
    if (!provider) throw new SignInProviderNotFound();
    return provider;
  }
}
