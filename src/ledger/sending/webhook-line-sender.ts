import { createHash } from 'node:crypto';
import type { Clock } from '../../common/clock/clock.js';
import { seconds } from '../../common/units/durations.js';
import type { Secret } from '../../config/secret.js';
import { signatureHeaders } from '../../webhooks/signature.js';
import type { AuditLine } from '../rules/audit-line.js';
import type { LineSender } from './line-sender.js';

const TIMEOUT_MS = seconds(30);

interface Target {
  readonly url: string;
  readonly secret: Secret;
}

/** Posts lines to the operator's URL, signed as the webhooks of orgs are. A batch that comes again has the same id. */
export class WebhookLineSender implements LineSender {
  readonly name = 'webhook';

  constructor(
    private readonly to: Target,
    private readonly clock: Clock,
  ) {}

  async send(lines: readonly AuditLine[], signal: AbortSignal): Promise<void> {
    const ids = lines.map(({ id }) => id).join(' ');
    const id = `audit_${createHash('sha256').update(ids).digest('hex').slice(0, 32)}`;
    const body = JSON.stringify({ event: 'auditLines', items: lines });
    const secret = { secret: this.to.secret.reveal(), previous: null, previousValidUntil: null };
    const { request } = await import('undici');
    const { statusCode, body: answer } = await request(this.to.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Muniment-Webhooks/1',
        ...signatureHeaders(id, this.clock.now(), body, secret),
      },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    await answer.dump();
    if (statusCode < 200 || statusCode > 299) throw new Error(`answered ${String(statusCode)}`);
  }
}
