import { model, nullable } from '../../common/validation/composites.js';
import { bool, int, str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';
import { FileVerification } from './file-verification.dto.js';

export class CrawlFileOut {
  @Field(str()) name!: string;
  @Field(str()) path!: string;
  @Field(str()) hash!: string;
  @Field(int()) size!: number;
  @Field(nullable(str()), { default: null }) crawlId!: string | null;
  @Field(int(), { default: 0 }) numReplicas!: number;
  @Field(nullable(str()), { default: null }) expireAt!: string | null;
  @Field(bool(), { default: false }) fromDependency!: boolean;
  /** What the client called it: of uploaded files. Of a WACZ that was made of an uploaded WARC, the name of that WARC. */
  @Field(str(), { optional: true }) originalFilename?: string;
  /** Of uploaded files: what the WACZ says of itself, compared with what it is. */
  @Field(model(() => FileVerification), { optional: true }) verification?: FileVerification;
}
