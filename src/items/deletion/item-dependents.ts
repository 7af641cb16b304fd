import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Discovered } from '../../common/discovery/discovered.js';
import { Mark } from '../../common/discovery/mark.js';
import type { Tx } from '../../database/unit-of-work.js';
import { PagesRepository } from '../../pages/data/pages.repository.js';
import type { Item } from '../data/item.schema.js';

/** A room that keeps something of items beside their documents. */
export interface ItemDependent {
  /** Before the item's document goes: deletes what belongs to it. Repeatable. */
  purge(item: Item): Promise<void>;
  /** In the transaction that removes the document: lets go of what still works on it. */
  release(item: Item, tx: Tx): Promise<void>;
}

const DEPENDENTS = new Mark<true, ItemDependent>();

/** The class keeps something of items. */
export const DependsOnItems = (): ReturnType<typeof DEPENDENTS.onClass> => DEPENDENTS.onClass(true);

/** What rooms keep of items. */
@Injectable()
export class ItemDependents implements OnModuleInit {
  private dependents: readonly ItemDependent[] = [];

  constructor(
    private readonly discovered: Discovered,
    private readonly pages: PagesRepository,
  ) {}

  onModuleInit(): void {
    this.dependents = this.discovered.with(DEPENDENTS).map(({ wearer }) => wearer);
  }

  /** Deletes what rooms keep of an item, and its pages. Repeatable. */
  async purge(item: Item): Promise<void> {
    for (const dependent of this.dependents) await dependent.purge(item);
    await this.pages.deleteOf(item.oid, [item._id]);
  }

  async release(item: Item, tx: Tx): Promise<void> {
    for (const dependent of this.dependents) await dependent.release(item, tx);
  }
}
