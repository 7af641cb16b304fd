import { PageQuery } from '../../common/pagination/page.js';
import { Str, Int, Uuid } from '../../common/validation/fields.js';

export class FilesPath {
  @Uuid() oid!: string;
}

export class FilePath {
  @Uuid() file_id!: string;
  @Uuid() oid!: string;
}

export class SeedFileQuery {
  /** Name the file had on the caller's disk; must end in `.txt`. */
  @Str() filename!: string;
}

export class FileListQuery extends PageQuery {
  @Str() sortBy = 'created';
  @Int() sortDirection = -1;
}
