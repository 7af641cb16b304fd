import { Global, Module } from '@nestjs/common';
import { Links } from './links.js';

/** Addresses of the service, available in every room. */
@Global()
@Module({ providers: [Links], exports: [Links] })
export class LinksModule {}
