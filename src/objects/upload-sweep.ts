import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../common/clock/clock.js';
import { days, hours } from '../common/units/durations.js';
import { JobsRepository } from '../jobs/data/jobs.repository.js';
import { isInOrgFolder } from '../storage/file-names.js';
import { Storages } from '../storage/storages.js';
import { FileDeletionsRepository } from './data/file-deletions.repository.js';

/** No transfer of one file takes this long. An older one that has no record was abandoned. */
const ABANDONED_MS = days(1);

/**
 * Ends writes to the deployment's storages that no record names any more. A process that is killed between the first
 * byte of a copy and its record leaves parts of the object. No object listing shows them, but they are paid for.
 */
@Injectable()
export class UploadSweep {
  private readonly logger = new Logger('objects');

  constructor(
    private readonly storages: Storages,
    private readonly deletions: FileDeletionsRepository,
    private readonly jobs: JobsRepository,
    private readonly clock: Clock,
  ) {}

  /** @returns the keys whose writes were ended */
  @Interval(hours(1))
  async run(): Promise<string[]> {
    const before = new Date(this.clock.nowMs() - ABANDONED_MS);
    const ended: string[] = [];
    for (const ref of this.storages.defaultRefs) {
      try {
        const keys = await this.storages.resolveDefault(ref).sweep(before, (key) => this.isAbandoned(key));
        if (keys.length > 0) this.logger.log({ event: 'unfinished_uploads_ended', storage: ref.name, keys });
        ended.push(...keys);
      } catch (error) {
        this.logger.warn({ event: 'storage_not_swept', storage: ref.name, err: error });
      }
    }
    return ended;
  }

  private async isAbandoned(key: string): Promise<boolean> {
    if (!isInOrgFolder(key) || (await this.deletions.isPlanned(key))) return false;
    return !(await this.jobs.isPlanned('create-replica', key));
  }
}
