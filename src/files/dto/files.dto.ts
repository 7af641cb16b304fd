import { PageQuery } from '../../common/pagination/page.js';
import { Str, Int, Uuid, TimeText, ListOf } from '../../common/validation/fields.js';

export class FilesPath {
  @Uuid() oid!: string;
}

export class FilePath {
  /** Id of the file. */
  @Uuid() file_id!: string;
  @Uuid() oid!: string;
}

export class SeedFileQuery {
  /** Name of the file on the caller's disk; must end in `.txt`. */
  @Str() filename!: string;
}

export class FileListQuery extends PageQuery {
  @Str() sortBy = 'created';
  @Int() sortDirection = -1;
}

/** The fields that strangers may see of a file that a user uploaded. */
export class PublicUserFileOut {
  /** Name of the stored file. */
  @Str() name!: string;
  /** Download URL, valid for a while. */
  @Str() path!: string;
  /** SHA-256 of the stored bytes, hex. */
  @Str() hash!: string;
  /** Size in bytes. */
  @Int() size!: number;
  @Str() mime!: string;
}

/** A file that a user uploaded: a thumbnail or a list of seeds. */
export class UserFileOut extends PublicUserFileOut {
  /** Name of the file on its sender's disk. */
  @Str() originalFilename!: string;
  @Uuid() userid!: string;
  @Str() userName!: string;
  @TimeText() created!: string;
}

export class SeedFileOut extends UserFileOut {
  @Uuid() id!: string;
  @Uuid() oid!: string;
  @Str() type!: string;
  @Str({ nullable: true }) firstSeed: string | null = null;
  @Int({ nullable: true }) seedCount: number | null = null;
}

export class PaginatedUserFileResponse {
  @Int() total!: number;
  @Int() page!: number;
  @Int() pageSize!: number;
  @ListOf(() => SeedFileOut) items!: SeedFileOut[];
}
