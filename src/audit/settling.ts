import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { outsideRequests } from '../common/http/request-scope.js';
import { AuditEventsRepository, type Settled } from './data/audit-events.repository.js';

/** How long what requests were answered waits to be stored together, ms. */
const GATHER_MS = 100;
/** So many are stored at once, however soon they came. */
const MOST = 200;

/**
 * Settles entries soon after their requests were answered, many by one write: a write for each would cost as much as the
 * entry itself. An entry that a dying process has not settled becomes `unknown`.
 */
@Injectable()
export class Settling implements OnModuleDestroy {
  private readonly logger = new Logger('audit');
  private waiting: Settled[] = [];
  private timer: NodeJS.Timeout | null = null;
  private isEnding = false;

  constructor(private readonly events: AuditEventsRepository) {}

  /** Takes a settling on; only while the service ends, it is waited for. */
  async soon(settled: Settled): Promise<void> {
    this.waiting.push(settled);
    if (this.isEnding || this.waiting.length >= MOST) {
      await this.flush();
      return;
    }
    this.timer ??= outsideRequests(() => setTimeout(() => void this.flush(), GATHER_MS));
  }

  async onModuleDestroy(): Promise<void> {
    this.isEnding = true;
    await this.flush();
  }

  private async flush(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    const batch = this.waiting;
    this.waiting = [];
    if (batch.length === 0) return;
    try {
      const count = await this.events.settleAll(batch);
      if (count < batch.length)
        this.logger.warn({ event: 'audit_entries_were_settled_before', count: batch.length - count });
    } catch (error) {
      // What happened has happened; the entries become `unknown`.
      this.logger.error({ event: 'audit_entries_not_settled', count: batch.length, err: error });
    }
  }
}
