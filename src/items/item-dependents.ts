import { Injectable } from '@nestjs/common';
import type { Tx } from '../database/unit-of-work.js';
import { PagesRepository } from '../pages/data/pages.repository.js';
import type { Item } from './data/item.schema.js';

/** A room that keeps something of items beside their documents. */
export interface ItemDependent {
  readonly name: string;
  /** Before the item's document goes: deletes what belongs to it. Repeatable. */
  purge(item: Item): Promise<void>;
  /** In the transaction that removes the document: lets go of what still works on it. */
  release(item: Item, tx: Tx): Promise<void>;
}

/** Where rooms register what they keep of items; they do so in `onModuleInit`. */
@Injectable()
export class ItemDependents {
  private readonly registered: ItemDependent[] = [];

  constructor(private readonly pages: PagesRepository) {}

  register(dependent: ItemDependent): void {
    this.registered.push(dependent);
  }

  /** Deletes what rooms keep of an item, and its pages. Repeatable. */
  async purge(item: Item): Promise<void> {
    for (const dependent of this.registered) await dependent.purge(item);
    await this.pages.deleteOf(item.oid, [item._id]);
  }

  async release(item: Item, tx: Tx): Promise<void> {
    for (const dependent of this.registered) await dependent.release(item, tx);
  }
}
