import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Discovered } from '../../common/discovery/discovered.js';
import { Mark } from '../../common/discovery/mark.js';
import type { Tx } from '../../database/unit-of-work.js';
import { PagesRepository } from '../../pages/data/pages.repository.js';
import type { Item } from '../data/item.schema.js';

/** A room that stores data of items outside their documents. */
export interface ItemDependent {
  /** Deletes what belongs to an item, before its document is removed. Calls may be repeated. */
  purge(item: Item): Promise<void>;
  /** Detaches what still works on the item, in the transaction that removes its document. */
  release(item: Item, tx: Tx): Promise<void>;
}

const DEPENDENTS = new Mark<true, ItemDependent>();

/** Marks a class that stores data of items. */
export const DependsOnItems = (): ReturnType<typeof DEPENDENTS.onClass> => DEPENDENTS.onClass(true);

/** Deletes the data that rooms store of items. */
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

  /** Deletes an item's pages and what rooms store of it. Calls may be repeated. */
  async purge(item: Item): Promise<void> {
    for (const dependent of this.dependents) await dependent.purge(item);
    await this.pages.deleteOf(item.oid, [item._id]);
  }

  async release(item: Item, tx: Tx): Promise<void> {
    for (const dependent of this.dependents) await dependent.release(item, tx);
  }
}
