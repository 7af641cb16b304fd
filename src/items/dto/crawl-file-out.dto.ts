import { Str, Int, Bool, Nested } from '../../common/validation/fields.js';
import { FileVerification } from './file-verification.dto.js';

export class CrawlFileOut {
  @Str() name!: string;
  @Str() path!: string;
  @Str() hash!: string;
  @Int() size!: number;
  @Str({ nullable: true }) crawlId: string | null = null;
  @Int() numReplicas = 0;
  @Str({ nullable: true }) expireAt: string | null = null;
  @Bool() fromDependency = false;
  /** What the client called it: of uploaded files. Of a WACZ that was made of an uploaded WARC, the name of that WARC. */
  @Str({ optional: true }) originalFilename?: string;
  /** Of uploaded files: what the WACZ says of itself, compared with what it is. */
  @Nested(() => FileVerification, { optional: true }) verification?: FileVerification;
}
