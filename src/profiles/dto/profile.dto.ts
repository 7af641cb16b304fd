import { Str, Bool, Uuid, TimeText, ListOf, Nested } from '../../common/validation/fields.js';
import { str } from '../../common/validation/scalars.js';
import { ProfileFile } from './profile-file.dto.js';

export class Profile {
  @Uuid() id!: string;
  @Str() name!: string;
  @Str({ nullable: true }) description: string | null = '';
  @Uuid() userid!: string;
  @Uuid() oid!: string;
  @ListOf(str()) origins!: string[];
  @Nested(() => ProfileFile, { nullable: true }) resource: ProfileFile | null = null;
  @TimeText({ nullable: true }) created: string | null = null;
  @Uuid({ nullable: true }) createdBy: string | null = null;
  @Str({ nullable: true }) createdByName: string | null = null;
  @TimeText({ nullable: true }) modified: string | null = null;
  @Uuid({ nullable: true }) modifiedBy: string | null = null;
  @Str({ nullable: true }) modifiedByName: string | null = null;
  @TimeText({ nullable: true }) modifiedCrawlDate: string | null = null;
  @Str({ nullable: true }) modifiedCrawlId: string | null = null;
  @Uuid({ nullable: true }) modifiedCrawlCid: string | null = null;
  @Uuid({ nullable: true }) baseid: string | null = null;
  @Str({ nullable: true }) crawlerChannel: string | null = null;
  @Str({ nullable: true }) proxyId: string | null = null;
  @Bool() inUse = false;
  @ListOf(str(), { nullable: true }) tags: string[] | null = [];
}
