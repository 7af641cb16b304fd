import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import { hours } from '../common/units/durations.js';
import type { SigningSecret } from './data/endpoint.schema.js';
import { EndpointsRepository } from './data/endpoints.repository.js';
import { newSigningSecret } from './signature.js';

/** How long the replaced secret continues to sign beside the new one. */
const OVERLAP_MS = hours(24);

/** The key that signs an org's notifications. It is made on first use, shown to owners and replaced on demand. */
@Injectable()
export class SigningSecrets {
  constructor(
    private readonly endpoints: EndpointsRepository,
    private readonly clock: Clock,
  ) {}

  of(oid: string): Promise<SigningSecret> {
    return this.endpoints.secretOf(oid, newSigningSecret);
  }

  /** Replaces the secret. Both secrets sign for 24 hours. */
  async rotate(oid: string): Promise<SigningSecret> {
    const { secret } = await this.of(oid);
    const until = new Date(this.clock.timestamp().getTime() + OVERLAP_MS);
    return (await this.endpoints.rotate(oid, secret, newSigningSecret(), until)) ?? this.of(oid);
  }
}
