import { Injectable } from '@nestjs/common';
import type { Principal } from '../common/access/access.js';
import { Clock } from '../common/clock/clock.js';
import { newId } from '../common/ids/uuid.js';
import { invalidInput } from '../common/validation/issue.js';
import type { StoredPageNote } from './data/page.schema.js';
import { PageReviewsRepository, type PageRef } from './data/page-reviews.repository.js';
import { PageNoteNotFound, PageNotFound } from './pages.errors.js';

/** Longest note in code points; the model of notes sets it (archive §6). */
const MAX_NOTE_LENGTH = 5000;

function checkText(text: string): void {
  if ([...text].length <= MAX_NOTE_LENGTH) return;
  const message = `String should have at most ${MAX_NOTE_LENGTH} characters`;
  throw invalidInput(['body', 'text'], message, text, 'string_too_long');
}

/** Changes reviewers' verdicts and notes of pages. */
@Injectable()
export class PageReviewsService {
  constructor(
    private readonly repository: PageReviewsRepository,
    private readonly clock: Clock,
  ) {}

  /** @param approved null withdraws the verdict @throws PageNotFound */
  async approve(page: PageRef, caller: Principal, approved: boolean | null): Promise<void> {
    const by = { userid: caller.id, modified: this.clock.timestamp() };
    if (!(await this.repository.setApproved(page, approved, by))) throw new PageNotFound();
  }

  /** @throws PageNotFound, InputRefused for a text that is too long */
  async addNote(page: PageRef, caller: Principal, text: string): Promise<StoredPageNote> {
    checkText(text);
    const note = this.note(newId(), caller, text);
    if (!(await this.repository.addNote(page, note))) throw new PageNotFound();
    return note;
  }

  /**
   * Changes a note. It keeps its place, but author and time become the editor's.
   * @throws PageNotFound, PageNoteNotFound, InputRefused for a text that is too long
   */
  async editNote(page: PageRef, caller: Principal, edit: { id: string; text: string }): Promise<StoredPageNote> {
    checkText(edit.text);
    const note = this.note(edit.id, caller, edit.text);
    if (await this.repository.replaceNote(page, note)) return note;
    if (await this.repository.exists(page)) throw new PageNoteNotFound();
    throw new PageNotFound();
  }

  /** Unknown ids are ignored. @throws PageNotFound */
  async deleteNotes(page: PageRef, noteIds: readonly string[]): Promise<void> {
    if (!(await this.repository.removeNotes(page, noteIds, this.clock.timestamp()))) throw new PageNotFound();
  }

  private note(id: string, caller: Principal, text: string): StoredPageNote {
    return { id, text, created: this.clock.timestamp(), userid: caller.id, userName: caller.name };
  }
}
