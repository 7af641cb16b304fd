import { Injectable, Logger } from '@nestjs/common';
import { seconds } from '../common/units/durations.js';
import { AppConfig } from '../config/app-config.js';
import { MailTemplates, type MailName, type MailPayloads, type RenderedMail } from './mail-templates.js';

/** Longest wait for the template service, because the mail is due. */
const TIMEOUT_MS = seconds(10);
/** Largest answer of the template service, far more than any mail. */
const MAX_BYTES = 2_000_000;

interface Rendering {
  readonly html?: unknown;
  readonly plainText?: unknown;
  readonly subject?: unknown;
}

/**
 * Renders mails by the deployment's own template service if one is set. Without one, or when it fails, the built-in
 * templates are used. Contract: accounts §13.2.
 */
@Injectable()
export class MailTexts {
  private readonly logger = new Logger('mail');

  constructor(
    private readonly builtIn: MailTemplates,
    private readonly config: AppConfig,
  ) {}

  /** Never throws for a fault of the service. */
  async render<K extends MailName>(name: K, payload: MailPayloads[K]): Promise<RenderedMail> {
    const { templateEndpoint } = this.config.mail;
    if (templateEndpoint === '') return this.builtIn.render(name, payload);
    try {
      return await this.ask(`${templateEndpoint}/${name}`, payload);
    } catch (error) {
      this.logger.warn({ event: 'mail_template_service_failed', template: name, err: error });
      return this.builtIn.render(name, payload);
    }
  }

  /** @throws Error unless the status is 200 and the three texts are there */
  private async ask(url: string, payload: object): Promise<RenderedMail> {
    const { request } = await import('undici');
    const answer = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(payload),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (answer.statusCode !== 200) {
      await answer.body.dump();
      throw new Error(`the template service answered ${String(answer.statusCode)}`);
    }
    const { html, plainText, subject } = JSON.parse(await limited(answer.body)) as Rendering;
    if (typeof subject !== 'string' || typeof plainText !== 'string' || plainText === '')
      throw new Error('the template service answered no subject or no text');
    // A line break in a subject would begin another header.
    const line = subject.replace(/[\r\n\t]+/g, ' ').trim();
    return { subject: line, text: plainText, html: typeof html === 'string' ? html : '' };
  }
}

async function limited(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error('the template service answered too much');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
