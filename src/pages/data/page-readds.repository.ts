import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { isDuplicateKey } from '../../database/org-scoped.js';
import { uuid } from '../../database/uuid-codec.js';
import { Page, type NewPage } from './page.schema.js';
import { titleIndexOf } from './title-words.facts.js';

/** One reading-again of an item's pages; `mark` is the job's id. */
export interface ReAdd {
  readonly oid: string;
  readonly crawlId: string;
  readonly mark: string;
}

const UNREVIEWED = { qa: null, approved: null, userid: null, 'notes.0': { $exists: false } };

/**
 * Replaces the pages of an item while it is being read again. Pages that are met are written over and marked; what
 * people and QA said about a page with the same id stays. What was not met goes at the end, so that at no moment
 * something is lost that a crash could not bring back.
 */
@Injectable()
export class PageReAddsRepository {
  constructor(@InjectModel(Page.name) private readonly model: Model<Page>) {}

  /** Drops what an interrupted run of the same job wrote, unless it holds more than the file says. */
  async begin({ oid, crawlId, mark }: ReAdd): Promise<void> {
    await this.model.collection.deleteMany({ ...this.scope(oid, crawlId), readd: mark, ...UNREVIEWED } as never);
  }

  async write({ oid, crawlId, mark }: ReAdd, pages: readonly NewPage[]): Promise<void> {
    if (pages.length === 0) return;
    const operations = pages.map(({ _id, crawl_id: _crawlId, ...content }) => ({
      updateOne: {
        filter: { _id: uuid(_id), ...this.scope(oid, crawlId) },
        update: updateTo(content, mark),
        upsert: true,
      },
    }));
    try {
      await this.model.collection.bulkWrite(operations as never, { ordered: false });
    } catch (error) {
      // The id belongs to a page of another item, which keeps it.
      if (!isDuplicateKey(error)) throw error;
    }
  }

  /** @param unread basenames of files that could not be read: their pages stay */
  async end({ oid, crawlId, mark }: ReAdd, unread: readonly string[]): Promise<void> {
    const scope = this.scope(oid, crawlId);
    await this.model.collection.deleteMany({
      ...scope,
      readd: { $ne: mark },
      filename: { $nin: [...unread] },
    } as never);
    await this.model.collection.updateMany({ ...scope, readd: mark } as never, { $unset: { readd: '' } });
  }

  /** Whether some page of the item does not say which file holds it, as the reference's older ones. */
  async lacksFilename(oid: string, crawlId: string): Promise<boolean> {
    return (await this.model.collection.findOne({ ...this.scope(oid, crawlId), filename: null } as never)) !== null;
  }

  private scope(oid: string, crawlId: string) {
    return { oid: uuid(oid), crawl_id: crawlId };
  }
}

/** A page that is met without a title keeps the one it has, and its words. */
function updateTo(content: Omit<NewPage, '_id' | 'crawl_id'>, mark: string): object {
  const words = titleIndexOf(content.title);
  const hasTitle = content.title !== null && content.title !== undefined;
  return {
    $set: { ...present(content), ...(hasTitle ? words : {}), readd: mark },
    ...(hasTitle ? {} : { $setOnInsert: words }),
  };
}

const present = (content: object): object =>
  Object.fromEntries(Object.entries(content).filter(([, value]) => value !== null && value !== undefined));
