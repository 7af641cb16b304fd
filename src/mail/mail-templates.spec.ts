import { MailTemplates, type MailName, type MailPayloads } from './mail-templates.js';

const templates = new MailTemplates();
const support_email = 'help@example.org';
const org_url = 'https://app.example.org/orgs/acme/';

const PAYLOADS: MailPayloads = {
  invite: {
    invite_url: 'https://app.example.org/join/T?email=a%40example.org',
    is_new: true,
    sender: 'boss@example.org',
    org_name: 'Acme <b>&</b> Co',
    support_email,
    trial_end_date: '2026-12-24T10:00:00+00:00',
  },
  verifyEmail: { origin: 'https://app.example.org', token: 'TOK', receiver_email: 'a@example.org' },
  passwordReset: { origin: 'https://app.example.org', token: 'TOK', support_email },
  subscriptionCancel: {
    org_url,
    user_name: 'Ann',
    org_name: 'Acme',
    cancel_date: '2026-12-24T10:00:00+00:00',
    survey_url: 'https://survey.example.org/',
    support_email,
  },
  trialEndingSoon: {
    user_name: 'Ann',
    org_name: 'Acme',
    org_url,
    trial_end_date: '2026-12-24T10:00:00+00:00',
    behavior_on_trial_end: 'read-only',
    support_email,
  },
  failedBgJob: { job: { id: 'delete-org-1', type: 'delete-org' }, org: null, finished: '2026-12-24T10:00:00+00:00' },
  failedBgJobs: {
    count: 3,
    since: '2026-12-24T10:00:00+00:00',
    until: '2026-12-24T11:00:00+00:00',
    types: [{ type: 'create-replica', count: 3 }],
    job_ids: ['create-replica-1'],
  },
  crawlAutoPaused: {
    org_name: 'Acme',
    user_name: 'Ann',
    paused_reason: 'paused_storage_quota_reached',
    paused_expiry: '2026-12-24T10:00:00+00:00',
    org_url,
    workflow_url: `${org_url}workflows/x/latest`,
    support_email,
  },
  webhookPaused: {
    org_name: 'Acme',
    user_name: 'Ann',
    event: 'crawlFinished',
    failing_since: '2026-12-24T10:00:00+00:00',
    org_url,
  },
  secondFactor: { user_name: 'Ann', origin: 'https://app.example.org', what: 'passkey-added', name: 'Phone' },
  test: { origin: 'https://app.example.org' },
};

describe('mail templates', () => {
  it.each(Object.keys(PAYLOADS) as MailName[])('%s has a subject, text and HTML without remote parts', (name) => {
    const mail = templates.render(name, PAYLOADS[name]);
    expect(mail.subject).toMatch(/^\S.{5,}/);
    expect(mail.subject).not.toContain('\n');
    for (const part of [mail.text, mail.html]) {
      expect(part).not.toMatch(/undefined|\[object|<%/);
      expect(part.length).toBeGreaterThan(60);
    }
    expect(mail.html).not.toMatch(/<img|<script|<link|src=/);
    expect(mail.html).toContain('name="viewport"');
  });

  it('carry their links in text and HTML', () => {
    for (const part of Object.values(templates.render('passwordReset', PAYLOADS.passwordReset)).slice(1))
      expect(part).toContain('https://app.example.org/reset-password?token=TOK');
    const { text, html } = templates.render('invite', PAYLOADS.invite);
    expect(text).toContain(PAYLOADS.invite.invite_url);
    expect(html).toContain(PAYLOADS.invite.invite_url);
    expect(text).toContain('24 December 2026');
  });

  it('escape names in HTML and leave them as they are in text', () => {
    const { subject, html, text } = templates.render('invite', PAYLOADS.invite);
    expect(subject).toBe('You are invited to join "Acme <b>&</b> Co"');
    expect(text).toContain('Acme <b>&</b> Co');
    expect(html).toContain('Acme &lt;b&gt;&amp;&lt;/b&gt; Co');
    expect(html).not.toContain('<b>&');
  });

  it('keep a line break in a name out of the header', () => {
    const { subject } = templates.render('invite', { ...PAYLOADS.invite, org_name: 'A\r\nBcc: x@example.org' });
    expect(subject).not.toMatch(/[\r\n]/);
  });

  it('leave out the support line when there is no support address', () => {
    const { support_email: _none, ...payload } = PAYLOADS.passwordReset;
    const mail = templates.render('passwordReset', payload);
    expect(mail.text + mail.html).not.toContain('Questions?');
  });
});
