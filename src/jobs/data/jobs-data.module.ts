import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { Job, JobSchema } from './job.schema.js';
import { JobsQueries } from './jobs.queries.js';
import { JobsRepository } from './jobs.repository.js';

@Module({
  imports: [MongooseModule.forFeature([{ name: Job.name, schema: JobSchema }])],
  providers: [JobsRepository, JobsQueries],
  exports: [JobsRepository, JobsQueries],
})
export class JobsDataModule {}
