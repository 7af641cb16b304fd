import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { OrgScoped } from '../../database/org-scoped.js';
import { uuid } from '../../database/uuid-codec.js';
import { Page, TITLE_WORDS } from './page.schema.js';
import { titleIndexOf } from './title-words.schema.js';

const BATCH = 500;

/** Words of titles for pages that were stored without: by a crawl while it ran, by the reference, by an earlier version. */
@Injectable()
export class PageTitlesRepository {
  private readonly pages: OrgScoped<Page>;

  constructor(@InjectModel(Page.name) private readonly model: Model<Page>) {
    this.pages = new OrgScoped(model);
  }

  /**
   * Fills all pages of these items, a batch at a time: whatever is interrupted goes on with what is left. Costs one look
   * into an index per item when nothing is. @returns how many there were
   */
  async fill(oid: string, crawlIds: readonly string[], signal?: AbortSignal): Promise<number> {
    let count = 0;
    for (let found = BATCH; found === BATCH && !signal?.aborted; count += found)
      found = await this.fillBatch(oid, crawlIds);
    return count;
  }

  private async fillBatch(oid: string, crawlIds: readonly string[]): Promise<number> {
    const hint = { oid: 1, crawl_id: 1, ...TITLE_WORDS } as const;
    const unfilled = { crawl_id: { $in: [...crawlIds] }, titleTerms: null } as object;
    const found = await this.pages.find(oid, unfilled, { limit: BATCH, projection: { title: 1 }, hint });
    const writes = found.map(({ _id, title }) => ({
      // A page that is being read again has got the words of another title by now.
      updateOne: { filter: { _id: uuid(_id), titleTerms: null }, update: { $set: titleIndexOf(title) } },
    }));
    if (writes.length > 0) await this.model.collection.bulkWrite(writes as never, { ordered: false });
    return found.length;
  }
}
