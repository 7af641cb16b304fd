import { Injectable } from '@nestjs/common';
import type { DomainEvent } from '../events/event-types.js';
import { OnFact } from '../events/on-fact.js';
import { ItemsRepository } from './data/items.repository.js';

/** Updates the user's name that items store beside the id. Contract: accounts §5, `PATCH /users/me`. */
@Injectable()
export class ItemUserNames {
  constructor(private readonly items: ItemsRepository) {}

  @OnFact('user.renamed', 'items.names')
  async renamed({ payload: { userId, name } }: DomainEvent<'user.renamed'>): Promise<void> {
    await this.items.renameUserAcrossOrgs(userId, name);
  }
}
