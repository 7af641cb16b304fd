import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { isDuplicateKey } from '../../database/org-scoped.js';
import { uuid } from '../../database/uuid-codec.js';
import { Page, type NewPage } from './page.schema.js';
import { titleIndexOf } from './title-words.facts.js';

/** One repeated reading of an item's pages; `mark` is the job's id. */
export interface ReAdd {
  readonly oid: string;
  readonly crawlId: string;
  readonly mark: string;
}

const UNREVIEWED = { qa: null, approved: null, userid: null, 'notes.0': { $exists: false } };

/**
 * Replaces the pages of an item while it is read again. Pages found are overwritten and marked; reviews and QA results
 * of a page with the same id stay. Pages not found are deleted at the end, so that a crash loses nothing for good.
 */
@Injectable()
export class PageReAddsRepository {
  constructor(@InjectModel(Page.name) private readonly model: Model<Page>) {}

  /** Drops the pages of an interrupted run of the same job, unless they hold more than the file says. */
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
      // Another item's page has the id and keeps it.
      if (!isDuplicateKey(error)) throw error;
    }
  }

  /** @param unread basenames of files that could not be read; their pages stay */
  async end({ oid, crawlId, mark }: ReAdd, unread: readonly string[]): Promise<void> {
    const scope = this.scope(oid, crawlId);
    await this.model.collection.deleteMany({
      ...scope,
      readd: { $ne: mark },
      filename: { $nin: [...unread] },
    } as never);
    await this.model.collection.updateMany({ ...scope, readd: mark } as never, { $unset: { readd: '' } });
  }

  /** Whether a page of the item lacks its file name, like older pages of the reference. */
  async lacksFilename(oid: string, crawlId: string): Promise<boolean> {
    return (await this.model.collection.findOne({ ...this.scope(oid, crawlId), filename: null } as never)) !== null;
  }

  private scope(oid: string, crawlId: string) {
    return { oid: uuid(oid), crawl_id: crawlId };
  }
}

/** A page found without a title keeps its title and its words. */
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
