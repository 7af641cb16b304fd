import { Global, Module } from '@nestjs/common';
import { Links } from './links.js';

/** Where the service is reached, everywhere. */
@Global()
@Module({ providers: [Links], exports: [Links] })
export class LinksModule {}
