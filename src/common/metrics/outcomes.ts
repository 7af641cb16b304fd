import { Injectable } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';

/**
 * How work ended, counted by the process that did it: the sum over processes is right. A process that dies may have
 * done work that it didn't count, and a fact that is told twice counts twice.
 */
@Injectable()
export class Outcomes {
  /** Further metrics of the process join these. */
  readonly registry = new Registry();
  private readonly crawls = this.counter(
    'muniment_crawls_ended_total',
    'Crawls that ended, by their last state',
    'state',
  );
  private readonly qaRuns = this.counter(
    'muniment_qa_runs_ended_total',
    'QA runs that ended, by their last state',
    'state',
  );
  private readonly uploads = this.counter('muniment_uploads_ended_total', 'Uploads processed, by state', 'state');
  private readonly jobs = this.counter('muniment_jobs_ended_total', 'Background jobs that ended', 'type', 'outcome');
  private readonly webhooks = this.counter('muniment_webhook_tries_total', 'Webhook requests by outcome', 'outcome');
  private readonly mails = this.counter('muniment_mails_total', 'Mails by outcome', 'outcome');
  private readonly endedSessions = this.counter(
    'muniment_ended_session_requests_total',
    'Requests refused because the session of their token has ended',
  );

  crawlEnded(state: string): void {
    this.crawls.inc({ state });
  }

  qaRunEnded(state: string): void {
    this.qaRuns.inc({ state });
  }

  uploadEnded(state: string): void {
    this.uploads.inc({ state });
  }

  jobEnded(type: string, outcome: 'succeeded' | 'failed'): void {
    this.jobs.inc({ type, outcome });
  }

  webhookTried(outcome: 'delivered' | 'refused'): void {
    this.webhooks.inc({ outcome });
  }

  mailEnded(outcome: 'sent' | 'failed' | 'held_back'): void {
    this.mails.inc({ outcome });
  }

  endedSessionRefused(): void {
    this.endedSessions.inc();
  }

  private counter<L extends string>(name: string, help: string, ...labelNames: L[]): Counter<L> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }
}
