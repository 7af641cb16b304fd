import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';

/** What the database says of itself. */
@Injectable()
export class DatabaseStateQueries {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  async read(): Promise<{ version: string; dataBytes: number; diskBytes: number }> {
    const { db } = this.connection;
    if (!db) throw new Error('not connected to the database');
    const [info, stats] = await Promise.all([db.admin().buildInfo(), db.command({ dbStats: 1 })]);
    const { dataSize = 0, totalSize = 0 } = stats as { dataSize?: number; totalSize?: number };
    return { version: String(info['version']), dataBytes: Number(dataSize), diskBytes: Number(totalSize) };
  }
}
