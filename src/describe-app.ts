import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { OpenAPIObject } from '@nestjs/swagger';
import { AppModule } from './app.module.js';
import { OUTSIDE_API } from './common/http/configure-app.js';
import type { AppConfig } from './config/app-config.js';
import { apiDocument } from './console/api-document.js';

/** The OpenAPI document of a service with this configuration. Nothing is started, and no database is asked. */
export async function describeApp(config: AppConfig): Promise<OpenAPIObject> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule.with(config), {
    preview: true,
    logger: false,
    abortOnError: false,
  });
  app.setGlobalPrefix('api', { exclude: OUTSIDE_API });
  return apiDocument(app);
}
