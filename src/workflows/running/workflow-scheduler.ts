import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../../common/clock/clock.js';
import { isDatabaseAway } from '../../common/errors/database-away.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { minutes, seconds } from '../../common/units/durations.js';
import { CrawlLauncher } from './crawl-launcher.js';
import { LeasedWorker, type ClaimedWork } from '../../database/leased-worker.js';
import type { Held } from '../../database/leases.js';
import { AtStartup } from '../../database/startup.js';
import { OrgsRepository } from '../../orgs/data/orgs.repository.js';
import { UsersRepository } from '../../users/data/users.repository.js';
import { SchedulesRepository, type FiringWorkflow } from '../data/schedules.repository.js';
import type { Workflow } from '../data/workflow.schema.js';
import { latestFiring, nextFiring, parseCron } from '../rules/cron.js';

/** Number of firings that one process handles at once. */
const MAX_AT_ONCE = 4;
const BATCH = 100;
/** A firing that could not start a crawl for this long is skipped. */
const GIVE_UP_MS = minutes(60);

/**
 * Fires schedules. A firing is taken by moving `nextRun` on, which only one process can do. The workflow stores the
 * firing until the process that claims it has ended it, so that a process that dies loses nothing. The crawl's id is
 * made from the firing, so that handling it twice starts one crawl. Contract: crawling §12.2.
 */
@Injectable()
export class WorkflowScheduler extends LeasedWorker<Held<FiringWorkflow>> {
  constructor(
    private readonly schedules: SchedulesRepository,
    private readonly orgs: OrgsRepository,
    private readonly users: UsersRepository,
    private readonly launcher: CrawlLauncher,
    private readonly clock: Clock,
  ) {
    super(schedules.leases, new Logger('workflows'));
  }

  /** Fills in next firings, because workflows of the reference have a schedule but no next firing. */
  @AtStartup('workflow schedules', { after: 'qa-sort-fields' })
  rescheduleMissing(): Promise<void> {
    return this.reschedule(true);
  }

  /** Looks for firings that are due and for those that other processes left. */
  @Interval(seconds(1))
  override look(): Promise<number> {
    return super.look();
  }

  rescheduleAllInBackground(): void {
    this.reschedule(false).catch((error: unknown) => {
      this.logger.error({ event: 'reschedule_failed', err: error });
    });
  }

  /** Works out `nextRun`. @param missingOnly whether to skip workflows that have a `nextRun` */
  async reschedule(missingOnly: boolean): Promise<void> {
    let last: string | null = null;
    for (;;) {
      const batch: Workflow[] = await this.schedules.findScheduled(last, BATCH, missingOnly);
      for (const workflow of batch) await this.orDropped(workflow, () => this.rescheduleOne(workflow));
      last = batch.at(-1)?._id ?? null;
      if (batch.length < BATCH) return;
    }
  }

  protected async claim(): Promise<ClaimedWork<Held<FiringWorkflow>>> {
    if (this.underWay.length >= MAX_AT_ONCE) return { held: [], more: false };
    const due = await this.schedules.findDue(this.clock.now(), BATCH);
    for (const workflow of due) await this.orDropped(workflow, () => this.take(workflow));
    const firing = await this.schedules.claimFiring();
    return { held: firing ? [firing] : [], more: firing !== null };
  }

  protected async work({ record: workflow, lease }: Held<FiringWorkflow>): Promise<void> {
    const { _id: cid, oid } = workflow;
    const { at } = workflow.pendingFiring;
    try {
      const reason = await this.startCrawl(workflow, at);
      if (reason) this.logger.log({ event: 'scheduled_run_skipped', oid, cid, at, reason });
      await this.schedules.end(lease, reason ? { at, reason } : null);
    } catch (error) {
      // The firing is tried again when its lease runs out, unless it has failed for too long.
      this.logger.error({ event: 'scheduled_run_failed', oid, cid, at, err: error });
      const isOver = this.clock.nowMs() - at.getTime() > GIVE_UP_MS && !isDatabaseAway(error);
      if (isOver) await this.schedules.end(lease, { at, reason: 'start_failed' });
    }
  }

  /** Runs work for one workflow. If it fails, the workflow loses its next firing, and the others go on. */
  private async orDropped(workflow: Workflow, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      const { _id: cid, oid } = workflow;
      this.logger.error({ event: 'schedule_dropped', oid, cid, err: error });
      await this.schedules.drop(cid, { at: this.clock.timestamp(), reason: 'schedule_unreadable' });
    }
  }

  private async rescheduleOne(workflow: Workflow): Promise<void> {
    const now = this.clock.now();
    // A firing that is due is kept.
    if (workflow.nextRun && workflow.nextRun <= now) return;
    const cron = parseCron(workflow.schedule ?? '');
    if (!cron) this.logger.warn({ event: 'schedule_unreadable', oid: workflow.oid, cid: workflow._id });
    await this.schedules.setNext(workflow, cron ? nextFiring(cron, now) : null);
  }

  /** Takes a due firing. Of several firings missed while no process ran, only the latest counts. */
  private async take(workflow: Workflow): Promise<void> {
    const { nextRun, schedule } = workflow;
    const now = this.clock.now();
    const cron = parseCron(schedule ?? '');
    if (!cron || !nextRun) return this.schedules.setNext(workflow, null);
    const at = latestFiring(cron, nextRun, now);
    await this.schedules.take(workflow, at, nextFiring(cron, now, at));
  }

  /** @returns why no crawl was started, or null when one was */
  private async startCrawl(workflow: Workflow, at: Date): Promise<string | null> {
    if (workflow.inactive) return 'crawl_config_not_found';
    const org = await this.orgs.findById(workflow.oid);
    if (!org) return 'org_gone';
    if (org.readOnly) return 'org_set_to_read_only';
    const userId = workflow.scheduledBy ?? workflow.modifiedBy;
    const user = userId ? await this.users.findById(userId) : null;
    if (!user) return 'user_gone';
    try {
      await this.launcher.start(org, workflow, { id: user.id, name: user.name }, { scheduled: at });
      return null;
    } catch (error) {
      if (error instanceof DomainError) return error.detail;
      throw error;
    }
  }
}
