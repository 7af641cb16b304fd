import { Injectable } from '@nestjs/common';
import type { Principal } from '../../common/access/access.js';
import { InvitesService } from '../../invites/invites.service.js';
import { mailTime } from '../../mail/mail-time.js';
import { Mails } from '../../mail/mails.js';
import type { Org } from '../data/org.schema.js';
import type { Invited } from './invited.js';

/** Mails invites. The list of invites shows a mail that failed. */
@Injectable()
export class InviteMails {
  constructor(
    private readonly mails: Mails,
    private readonly invites: InvitesService,
  ) {}

  /** Mails an invite in the background. @param origin base of the link, from `Links.inMail` */
  invite(
    org: Pick<Org, '_id' | 'name' | 'subscription'>,
    inviter: Principal,
    { invited, token, email }: Invited,
    origin: string,
  ): void {
    const isNew = invited === 'new_user';
    const path = isNew ? `/join/${token}` : `/invite/accept/${token}`;
    const trialEnd = org.subscription?.futureCancelDate;
    const payload = {
      invite_url: `${origin}${path}?email=${encodeURIComponent(email)}`,
      is_new: isNew,
      sender: inviter.isSuperuser ? '' : inviter.email,
      org_name: org.name === org._id ? '' : org.name,
      ...this.mails.support,
      trial_end_date: trialEnd ? mailTime(trialEnd) : null,
    };
    const onFailure = (reason: string): Promise<void> => this.invites.noteMailFailure(token, reason);
    this.mails.send('invite', email, payload, { onFailure });
  }
}
