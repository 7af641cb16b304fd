import { Str, Int, Bool, Uuid, TimeText, ListOf } from '../../common/validation/fields.js';
import { PageNote } from './page-note.dto.js';

/** What every answer says of a page; its status is null only where QA is shown. Contract: archive §6. */
export class SharedPageOut {
  @Uuid() id!: string;
  @Uuid() oid!: string;
  /** Item, crawl or upload. */
  @Str() crawl_id!: string;
  @Str() url!: string;
  @Str({ nullable: true }) title: string | null = null;
  /** When it was loaded. */
  @TimeText({ nullable: true }) ts: string | null = null;
  /** 0 failed, 1 content loaded, 2 loaded, 3 extracted, 4 behaviors done. */
  @Int({ nullable: true }) loadState: number | null = null;
  @Str({ nullable: true }) mime: string | null = null;
  /** Name of the WACZ that holds it. */
  @Str({ nullable: true }) filename: string | null = null;
  /** Links from a seed; 0: a seed. */
  @Int({ nullable: true }) depth: number | null = null;
  @Str({ nullable: true }) favIconUrl: string | null = null;
  @Bool({ nullable: true }) isSeed: boolean | null = false;
  /** Who approved or rejected it. */
  @Uuid({ nullable: true }) userid: string | null = null;
  /** When its review or its notes changed. */
  @TimeText({ nullable: true }) modified: string | null = null;
  @Bool({ nullable: true }) approved: boolean | null = null;
  @ListOf(() => PageNote) notes: PageNote[] = [];
  /** Not a page of HTML: a PDF, a picture. */
  @Bool({ nullable: true }) isFile: boolean | null = false;
  /** It could not be loaded. */
  @Bool({ nullable: true }) isError: boolean | null = false;
}
