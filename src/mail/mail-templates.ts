import { fileURLToPath } from 'node:url';
import { Injectable } from '@nestjs/common';
import { Eta } from 'eta';

/** The payload of each template. Names and keys are those of the reference's template service (accounts §13.1). */
export interface MailPayloads {
  readonly invite: {
    invite_url: string;
    is_new: boolean;
    /** Name of the inviter; empty when a superuser invited. */
    sender: string;
    /** Name of the org; empty while it has no name of its own. */
    org_name: string;
    support_email?: string;
    /** ISO 8601 with `+00:00`. */
    trial_end_date: string | null;
  };
  readonly verifyEmail: { origin: string; token: string; receiver_email: string };
  readonly passwordReset: { origin: string; token: string; support_email?: string };
  readonly subscriptionCancel: {
    org_url: string;
    user_name: string;
    org_name: string;
    cancel_date: string;
    support_email?: string;
    survey_url: string;
  };
  readonly trialEndingSoon: {
    user_name: string;
    org_name: string;
    org_url: string;
    trial_end_date: string;
    behavior_on_trial_end: 'cancel' | 'continue' | 'read-only';
    support_email?: string;
  };
  readonly failedBgJob: { job: Readonly<Record<string, unknown>>; org: string | null; finished: string };
  /** Addition: failed jobs that have no mail of their own. */
  readonly failedBgJobs: {
    count: number;
    since: string;
    until: string;
    types: readonly { readonly type: string; readonly count: number }[];
    job_ids: readonly string[];
  };
  readonly crawlAutoPaused: {
    org_name: string;
    user_name: string;
    paused_reason: string;
    paused_expiry: string;
    org_url: string;
    workflow_url: string;
    support_email?: string;
  };
  /** Addition: a webhook endpoint has been failing for too long. */
  readonly webhookPaused: {
    org_name: string;
    user_name: string;
    event: string;
    failing_since: string;
    org_url: string;
  };
  /** Addition: what became of an account's second factors. */
  readonly secondFactor: {
    user_name: string;
    origin: string;
    what:
      | 'totp-added'
      | 'totp-removed'
      | 'passkey-added'
      | 'passkey-removed'
      | 'recovery-renewed'
      | 'recovery-used'
      | 'removed-for-you'
      | 'locked';
    /** What its owner calls the passkey. */
    name?: string;
    /** Recovery codes that are left. */
    left?: number;
  };
  /** Addition: `muniment mail test`. */
  readonly test: { origin: string };
}

export type MailName = keyof MailPayloads;

export interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** `2026-12-24T10:00:00+00:00` → `24 December 2026`. */
const day = (iso: string): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(Date.parse(iso));

/** Renders the built-in templates: `<name>.txt`, whose first line is the subject, and `<name>.html`. */
@Injectable()
export class MailTemplates {
  private readonly html: Eta;
  private readonly text: Eta;

  constructor() {
    const views = fileURLToPath(new URL('./templates/', import.meta.url));
    this.html = new Eta({ views, cache: true, autoEscape: true });
    this.text = new Eta({ views, cache: true, autoEscape: false });
  }

  render<K extends MailName>(name: K, payload: MailPayloads[K]): RenderedMail {
    const data = { ...payload, day };
    const [subject = '', ...lines] = this.text.render(`./${name}.txt`, data).split('\n');
    // A line break in a name must not begin another header.
    return {
      subject: subject.replace(/[\r\n\t]+/g, ' ').trim(),
      text: `${lines.join('\n').trim()}\n`,
      html: this.html.render(`./${name}.html`, data),
    };
  }
}
