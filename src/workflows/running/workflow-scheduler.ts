import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../../common/clock/clock.js';
import { isDatabaseAway } from '../../common/errors/database-away.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { minutes, seconds } from '../../common/units/durations.js';
import { CrawlLauncher } from './crawl-launcher.js';
import { AtStartup } from '../../database/startup.js';
import { OrgsRepository } from '../../orgs/data/orgs.repository.js';
import { UsersRepository } from '../../users/data/users.repository.js';
import { SchedulesRepository } from '../data/schedules.repository.js';
import type { Workflow } from '../data/workflow.schema.js';
import { latestFiring, nextFiring, parseCron } from '../rules/cron.js';

/** Starting a crawl takes milliseconds; whoever holds a firing this long is dead. */
const LEASE_MS = minutes(2);
const BATCH = 100;
/** A firing that could not be turned into a crawl for so long is skipped. */
const GIVE_UP_MS = minutes(60);

/**
 * Fires schedules. A firing is claimed by moving `nextRun` on, which only one process can do; the claim is kept with the
 * workflow until it is dealt with, so that a process that dies in between loses nothing; and the crawl's id is made from
 * the firing, so that dealing with it twice starts one crawl. Contract: crawling §12.2.
 */
@Injectable()
export class WorkflowScheduler {
  private readonly logger = new Logger('workflows');

  constructor(
    private readonly schedules: SchedulesRepository,
    private readonly orgs: OrgsRepository,
    private readonly users: UsersRepository,
    private readonly launcher: CrawlLauncher,
    private readonly clock: Clock,
  ) {}

  /** Workflows of the reference have a schedule and no next firing. */
  @AtStartup('workflow schedules', { after: 'qa-sort-fields' })
  rescheduleMissing(): Promise<void> {
    return this.reschedule(true);
  }

  /** Deals with all firings that are due and those left behind. @returns how many this process dealt with */
  @Interval(seconds(1))
  async fireDue(): Promise<number> {
    let fired = 0;
    for (;;) {
      const due = await this.schedules.findDue(this.clock.now(), BATCH);
      for (const workflow of due) if (await this.orDropped(workflow, () => this.fireIfClaimed(workflow))) fired++;
      if (due.length < BATCH) break;
    }
    for (;;) {
      const now = this.clock.now();
      const left = await this.schedules.claimAbandoned(now, new Date(now.getTime() + LEASE_MS));
      if (!left?.pendingFiring) return fired;
      await this.fire(left, left.pendingFiring.at);
      fired++;
    }
  }

  rescheduleAllInBackground(): void {
    this.reschedule(false).catch((error: unknown) => {
      this.logger.error({ event: 'reschedule_failed', err: error });
    });
  }

  /** Works out `nextRun`. @param missingOnly leave those alone that have one */
  async reschedule(missingOnly: boolean): Promise<void> {
    let last: string | null = null;
    for (;;) {
      const batch: Workflow[] = await this.schedules.findScheduled(last, BATCH, missingOnly);
      for (const workflow of batch) await this.orDropped(workflow, () => this.rescheduleOne(workflow));
      last = batch.at(-1)?._id ?? null;
      if (batch.length < BATCH) return;
    }
  }

  /** A workflow whose schedule cannot even be looked at loses its firing, and stops no other one's. */
  private async orDropped<T>(workflow: Workflow, work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      const { _id: cid, oid } = workflow;
      this.logger.error({ event: 'schedule_dropped', oid, cid, err: error });
      await this.schedules.drop(cid, { at: this.clock.timestamp(), reason: 'schedule_unreadable' });
      return null;
    }
  }

  private async rescheduleOne(workflow: Workflow): Promise<void> {
    const now = this.clock.now();
    // A firing that is due is not taken away.
    if (workflow.nextRun && workflow.nextRun <= now) return;
    const cron = parseCron(workflow.schedule ?? '');
    if (!cron) this.logger.warn({ event: 'schedule_unreadable', oid: workflow.oid, cid: workflow._id });
    await this.schedules.setNext(workflow, cron ? nextFiring(cron, now) : null);
  }

  /** Of several firings missed while no process ran only the latest counts. */
  private async fireIfClaimed(workflow: Workflow): Promise<boolean> {
    const { nextRun, schedule } = workflow;
    const now = this.clock.now();
    const cron = parseCron(schedule ?? '');
    if (!cron || !nextRun) {
      await this.schedules.setNext(workflow, null);
      return false;
    }
    const at = latestFiring(cron, nextRun, now);
    const leaseUntil = new Date(now.getTime() + LEASE_MS);
    if (!(await this.schedules.claim(workflow, { at, leaseUntil }, nextFiring(cron, now, at)))) return false;
    await this.fire(workflow, at);
    return true;
  }

  private async fire(workflow: Workflow, at: Date): Promise<void> {
    const { _id: cid, oid } = workflow;
    try {
      const reason = await this.start(workflow, at);
      if (reason) this.logger.log({ event: 'scheduled_run_skipped', oid, cid, at, reason });
      await this.schedules.end(cid, at, reason ? { at, reason } : null);
    } catch (error) {
      // The firing stays claimed and is tried again when its lease runs out, unless that went on too long.
      this.logger.error({ event: 'scheduled_run_failed', oid, cid, at, err: error });
      const isOver = this.clock.nowMs() - at.getTime() > GIVE_UP_MS && !isDatabaseAway(error);
      if (isOver) await this.schedules.end(cid, at, { at, reason: 'start_failed' });
    }
  }

  /** @returns why no crawl was started, or null */
  private async start(workflow: Workflow, at: Date): Promise<string | null> {
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
