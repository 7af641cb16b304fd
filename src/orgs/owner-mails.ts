import { Injectable } from '@nestjs/common';
import { ROLE } from '../common/access/access.js';
import { Links } from '../links/links.js';
import type { MailPayloads } from '../mail/mail-templates.js';
import { Mails } from '../mail/mails.js';
import { UsersRepository } from '../users/data/users.repository.js';
import type { Org } from './data/org.schema.js';

/** The fields of every mail to an org's owners. */
type Common = 'user_name' | 'org_name' | 'support_email';

type OwnerMail = 'subscriptionCancel' | 'trialEndingSoon' | 'crawlAutoPaused' | 'webhookPaused';

/**
 * Sends mails about an org in the background. They go to members who are owners or more and whose accounts still exist.
 */
@Injectable()
export class OwnerMails {
  constructor(
    private readonly users: UsersRepository,
    private readonly mails: Mails,
    private readonly links: Links,
  ) {}

  /** Returns the URL at which clients show the org, without a trailing slash. */
  orgUrl(org: Pick<Org, 'slug' | 'origin'>): string {
    return `${this.links.inMailOf(org)}/orgs/${org.slug}`;
  }

  /** Mails the owners. @returns how many owners are told */
  async send<K extends OwnerMail>(
    name: K,
    org: Pick<Org, 'users' | 'name'>,
    payload: Omit<MailPayloads[K], Common>,
  ): Promise<number> {
    const ids = Object.entries(org.users ?? {}).flatMap(([id, role]) => (role >= ROLE.owner ? [id] : []));
    const owners = await this.users.findByIds(ids);
    for (const owner of owners) {
      const common = { user_name: owner.name, org_name: org.name, ...this.mails.support };
      this.mails.send(name, owner.email, { ...payload, ...common } as MailPayloads[K]);
    }
    return owners.length;
  }
}
