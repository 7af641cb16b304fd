import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { hours, minutes, seconds } from '../common/units/durations.js';
import { FileRemover } from './file-remover.js';
import { ItemDeleter } from './item-deleter.js';
import { PageTitleFill } from './page-title-fill.js';
import { UploadSweep } from './upload-sweep.js';

@Injectable()
export class ItemsSchedule {
  constructor(
    private readonly files: FileRemover,
    private readonly deleter: ItemDeleter,
    private readonly sweep: UploadSweep,
    private readonly titles: PageTitleFill,
  ) {}

  @Interval(minutes(1))
  async completeDeletions(): Promise<void> {
    await this.deleter.recover();
  }

  @Interval(seconds(10))
  async removeFiles(): Promise<void> {
    await this.files.recover();
  }

  @Interval(hours(1))
  async endAbandonedWrites(): Promise<void> {
    await this.sweep.run();
  }

  /** A process of an earlier version may have stored some beside this one. */
  @Interval(hours(1))
  async fillPageTitles(): Promise<void> {
    await this.titles.start();
  }
}
