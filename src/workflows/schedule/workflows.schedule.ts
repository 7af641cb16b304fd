import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { seconds } from '../../common/units/durations.js';
import { WorkflowScheduler } from './workflow-scheduler.js';

@Injectable()
export class WorkflowsSchedule {
  constructor(private readonly scheduler: WorkflowScheduler) {}

  @Interval(seconds(1))
  async fire(): Promise<void> {
    await this.scheduler.fireDue();
  }
}
