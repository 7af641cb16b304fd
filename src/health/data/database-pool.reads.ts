import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';

/** The connections that the process keeps to the database. */
@Injectable()
export class DatabasePoolReads {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  /** @param tell of each connection that is taken from the pool, how many seconds that took */
  onCheckedOut(tell: (seconds: number) => void): void {
    this.connection.getClient().on('connectionCheckedOut', ({ durationMS }) => tell(durationMS / 1000));
  }
}
