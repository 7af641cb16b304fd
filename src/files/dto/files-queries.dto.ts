import { PageQuery } from '../../common/pagination/page.js';
import { uuid } from '../../common/validation/formats.js';
import { Field } from '../../common/validation/model.js';
import { int, str } from '../../common/validation/scalars.js';

export class FilesPath {
  @Field(uuid()) oid!: string;
}

export class FilePath {
  @Field(uuid()) file_id!: string;
  @Field(uuid()) oid!: string;
}

export class SeedFileQuery {
  /** Name the file had on the caller's disk; must end in `.txt`. */
  @Field(str()) filename!: string;
}

export class FileListQuery extends PageQuery {
  @Field(str(), { default: 'created' }) sortBy!: string;
  @Field(int(), { default: -1 }) sortDirection!: number;
}
