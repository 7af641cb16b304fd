import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { minutes, seconds } from '../common/units/durations.js';
import { FileRemover } from './file-remover.js';
import { ItemDeleter } from './item-deleter.js';

@Injectable()
export class ItemsSchedule {
  constructor(
    private readonly files: FileRemover,
    private readonly deleter: ItemDeleter,
  ) {}

  @Interval(minutes(1))
  async completeDeletions(): Promise<void> {
    await this.deleter.recover();
  }

  @Interval(seconds(10))
  async removeFiles(): Promise<void> {
    await this.files.recover();
  }
}
