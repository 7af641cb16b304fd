import { Global, Module, type DynamicModule } from '@nestjs/common';
import { AppConfig } from './app-config.js';
import { SettingsController } from './settings.controller.js';

/** Provides the frozen `AppConfig` everywhere. */
@Global()
@Module({ controllers: [SettingsController] })
export class ConfigModule {
  static with(config: AppConfig): DynamicModule {
    return { module: ConfigModule, providers: [{ provide: AppConfig, useValue: config }], exports: [AppConfig] };
  }
}
