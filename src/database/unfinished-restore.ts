import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';

/** The collection that holds a document from the first change of a restore until its last one. */
export const UNFINISHED_RESTORE = 'unfinished_restore';

/** A restore into the database was interrupted, so that a part of the archive is missing. */
export class RestoreUnfinished extends Error {
  constructor(backup: string) {
    super(
      `A restore of the backup ${backup} into this database was interrupted. Run it again (muniment restore), or use ` +
        'another database. What is there is not the whole archive.',
    );
  }
}

/** Refuses a database that holds a part of an archive. */
@Injectable()
export class UnfinishedRestoreCheck {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  /** @throws RestoreUnfinished */
  async run(): Promise<void> {
    const mark = await this.connection.db?.collection<{ backup: string }>(UNFINISHED_RESTORE).findOne({});
    if (mark) throw new RestoreUnfinished(mark.backup);
  }
}
