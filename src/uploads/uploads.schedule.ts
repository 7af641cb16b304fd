import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { minutes } from '../common/units/durations.js';
import { ResumableUploads } from './tus/resumable-uploads.js';

@Injectable()
export class UploadsSchedule {
  constructor(private readonly resumable: ResumableUploads) {}

  @Interval(minutes(5))
  async sweep(): Promise<void> {
    await this.resumable.sweep();
  }
}
