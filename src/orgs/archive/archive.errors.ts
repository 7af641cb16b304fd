import { Invalid } from '../../common/errors/domain-error.js';

/** The database has no version record. */
export class InvalidDb extends Invalid {
  readonly detail = 'invalid_db';
}

/** The export was made by a database of another version. */
export class DbVersionMismatch extends Invalid {
  readonly detail = 'db_version_mismatch';
}

export class OrgAlreadyExists extends Invalid {
  readonly detail = 'org_already_exists';
}

/** The body is no export, or an import of the same org is under way. */
export class InvalidImportData extends Invalid {
  readonly detail = 'invalid_import_data';
}

/** No storage of this name. */
export class InvalidStorageRef extends Invalid {
  readonly detail = 'invalid_storage_ref';
}
