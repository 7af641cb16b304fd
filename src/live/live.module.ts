import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { ChangesReads } from './data/changes.reads.js';
import { OpenStreams } from './open-streams.js';
import { OrgChanges } from './org-changes.js';
import { OrgStreamController } from './org-stream.controller.js';

/** What changes, told to who looks at it. */
@Module({
  imports: [AuthModule],
  controllers: [OrgStreamController],
  providers: [ChangesReads, OpenStreams, OrgChanges],
})
export class LiveModule {}
