import { nullable } from '../../common/validation/composites.js';
import { uuid } from '../../common/validation/formats.js';
import { Field } from '../../common/validation/model.js';
import { int, str } from '../../common/validation/scalars.js';
import { UserFileOut } from './user-file-out.dto.js';

export class SeedFileOut extends UserFileOut {
  @Field(uuid()) id!: string;
  @Field(uuid()) oid!: string;
  @Field(str()) type!: string;
  @Field(nullable(str()), { default: null }) firstSeed!: string | null;
  @Field(nullable(int()), { default: null }) seedCount!: number | null;
}
