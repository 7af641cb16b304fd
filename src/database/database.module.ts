import { Global, Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AppConfig } from '../config/app-config.js';
import { DatabaseTime } from './database-time.js';
import { IndexSync } from './index-sync.js';
import { MigrationPlan } from './migration-plan.js';
import { ReplicaSetCheck, SchemaVersionCheck } from './schema-version.js';
import { SlowCommands } from './slow-commands.js';
import { Startup } from './startup.js';
import { UnfinishedRestoreCheck } from './unfinished-restore.js';
import { UnitOfWork } from './unit-of-work.js';

/** The connection, transactions, and what runs on the database before the first request. */
@Global()
@Module({
  imports: [
    MongooseModule.forRootAsync({
      inject: [AppConfig],
      useFactory: ({ database }: AppConfig) => ({
        uri: database.url.reveal(),
        dbName: database.name,
        autoIndex: false,
        autoCreate: false,
        monitorCommands: database.slowCommandMs > 0,
        // A dead database is noticed within seconds, where the driver's default is half a minute.
        serverSelectionTimeoutMS: 10_000,
        retryAttempts: 20,
        retryDelay: 3000,
      }),
    }),
  ],
  providers: [
    DatabaseTime,
    UnitOfWork,
    SlowCommands,
    IndexSync,
    MigrationPlan,
    SchemaVersionCheck,
    ReplicaSetCheck,
    UnfinishedRestoreCheck,
    Startup,
  ],
  exports: [UnitOfWork, Startup, IndexSync],
})
export class DatabaseModule {}
