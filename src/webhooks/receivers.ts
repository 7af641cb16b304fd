import { Injectable } from '@nestjs/common';
import type { Org } from '../orgs/data/org.schema.js';
import { OrgsRepository } from '../orgs/data/orgs.repository.js';
import type { SigningSecret } from './data/endpoint.schema.js';
import { EndpointsRepository } from './data/endpoints.repository.js';
import type { Notification } from './data/notification.schema.js';
import { SigningSecrets } from './signing-secrets.js';
import { webhookUrlOf } from './webhook-url.js';

export interface Receiver {
  readonly url: string;
  readonly paused: boolean;
  readonly secrets: SigningSecret;
}

/** The current configuration for a batch of notifications, read in one go. */
export class ReceiverLookup {
  constructor(
    private readonly orgs: ReadonlyMap<string, Org>,
    private readonly paused: ReadonlySet<string>,
    private readonly secrets: ReadonlyMap<string, SigningSecret>,
  ) {}

  /** The receiver; null when nobody is to be told. */
  of({ oid, event }: Pick<Notification, 'oid' | 'event'>): Receiver | null {
    const [org, secrets] = [this.orgs.get(oid), this.secrets.get(oid)];
    const url = org ? webhookUrlOf(org, event) : null;
    return url && secrets ? { url, paused: this.paused.has(`${oid} ${event}`), secrets } : null;
  }
}

@Injectable()
export class Receivers {
  constructor(
    private readonly orgs: OrgsRepository,
    private readonly endpoints: EndpointsRepository,
    private readonly secrets: SigningSecrets,
  ) {}

  async lookUp(notifications: readonly Notification[]): Promise<ReceiverLookup> {
    const oids = [...new Set(notifications.map(({ oid }) => oid))];
    const [orgs, paused, secrets] = await Promise.all([
      this.orgs.findByIds(oids),
      this.endpoints.findPaused(oids),
      Promise.all(oids.map(async (oid) => [oid, await this.secrets.of(oid)] as const)),
    ]);
    return new ReceiverLookup(
      new Map(orgs.map((org) => [org._id, org])),
      new Set(paused.map(({ oid, event }) => `${oid} ${event}`)),
      new Map(secrets),
    );
  }
}
