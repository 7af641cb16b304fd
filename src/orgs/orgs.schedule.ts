import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { seconds } from '../common/units/durations.js';
import { OrgImport } from './org-import.js';

@Injectable()
export class OrgsSchedule {
  constructor(private readonly imports: OrgImport) {}

  /** Imports whose process died, in this or another process. */
  @Interval(seconds(30))
  async clearDeadImports(): Promise<void> {
    await this.imports.clearDead();
  }
}
