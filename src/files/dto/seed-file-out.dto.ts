import { Str, Int, Uuid } from '../../common/validation/fields.js';
import { UserFileOut } from './user-file-out.dto.js';

export class SeedFileOut extends UserFileOut {
  @Uuid() id!: string;
  @Uuid() oid!: string;
  @Str() type!: string;
  @Str({ nullable: true }) firstSeed: string | null = null;
  @Int({ nullable: true }) seedCount: number | null = null;
}
