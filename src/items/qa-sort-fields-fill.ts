import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Startup } from '../database/startup.js';
import { ItemMigrationsRepository } from './data/item-migrations.repository.js';

/** Gives the documents of a database that was taken over the fields that lists sort by, before the first list is asked for. */
@Injectable()
export class QaSortFieldsFill implements OnModuleInit {
  private readonly logger = new Logger('items');

  constructor(
    private readonly startup: Startup,
    private readonly items: ItemMigrationsRepository,
  ) {}

  onModuleInit(): void {
    this.startup.register({ name: 'qa-sort-fields', order: 210, run: () => this.run() });
  }

  async run(): Promise<void> {
    const count = await this.items.fillQaSortFields();
    if (count > 0) this.logger.log({ event: 'qa_sort_fields_filled', count });
  }
}
