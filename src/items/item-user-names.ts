import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainEvents } from '../events/domain-events.js';
import { ItemsRepository } from './data/items.repository.js';

/** Items keep their user's name beside the id; it follows a change. Contract: accounts §5, `PATCH /users/me`. */
@Injectable()
export class ItemUserNames implements OnModuleInit {
  constructor(
    private readonly items: ItemsRepository,
    private readonly events: DomainEvents,
  ) {}

  onModuleInit(): void {
    this.events.on('user.renamed', 'items.names', ({ payload: { userId, name } }) =>
      this.items.renameUserAcrossOrgs(userId, name),
    );
  }
}
