import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { OrgScoped } from '../../database/org-scoped.js';
import { uuid, uuids } from '../../database/uuid-codec.js';
import { Page, type StoredPageNote } from './page.schema.js';

export interface PageRef {
  readonly oid: string;
  readonly crawlId: string;
  readonly pageId: string;
}

const NOTES = { $ifNull: ['$notes', []] };
const filterOf = ({ crawlId, pageId }: PageRef) => ({ _id: pageId, crawl_id: crawlId });
const stored = (note: StoredPageNote) => ({ ...note, id: uuid(note.id), userid: uuid(note.userid) });

/** Changes a page's verdict and notes atomically. Each change returns whether the page exists. */
@Injectable()
export class PageReviewsRepository {
  private readonly pages: OrgScoped<Page>;

  constructor(@InjectModel(Page.name) model: Model<Page>) {
    this.pages = new OrgScoped(model);
  }

  async exists(page: PageRef): Promise<boolean> {
    return this.pages.exists(page.oid, filterOf(page));
  }

  async setApproved(page: PageRef, approved: boolean | null, by: { userid: string; modified: Date }): Promise<boolean> {
    const done = await this.pages.updateOne(page.oid, filterOf(page), { $set: { approved, ...by } });
    return done.matched === 1;
  }

  /** Appends a note. The reference omits or nulls an empty list, so the update builds it. */
  async addNote(page: PageRef, note: StoredPageNote): Promise<boolean> {
    const notes = { $concatArrays: [NOTES, [{ $literal: stored(note) }]] };
    const done = await this.pages.updateOne(page.oid, filterOf(page), [{ $set: { notes, modified: note.created } }]);
    return done.matched === 1;
  }

  /** @returns false when the page, or the note on it, does not exist */
  async replaceNote(page: PageRef, note: StoredPageNote): Promise<boolean> {
    const filter = { ...filterOf(page), 'notes.id': note.id };
    const update = { $set: { 'notes.$': note, modified: note.created } };
    return (await this.pages.updateOne(page.oid, filter, update)).matched === 1;
  }

  async removeNotes(page: PageRef, noteIds: readonly string[], modified: Date): Promise<boolean> {
    const kept = { $not: [{ $in: ['$$note.id', uuids(noteIds)] }] };
    const notes = { $filter: { input: NOTES, as: 'note', cond: kept } };
    const done = await this.pages.updateOne(page.oid, filterOf(page), [{ $set: { notes, modified } }]);
    return done.matched === 1;
  }
}
