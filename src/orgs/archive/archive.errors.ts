import { invalid } from '../../common/errors/domain-error.js';

/** The database has no version record. */
export class InvalidDb extends invalid('invalid_db') {}

/** The export was made by a database of another version. */
export class DbVersionMismatch extends invalid('db_version_mismatch') {}
/** An org of this id is there already. */
export class OrgAlreadyExists extends invalid('org_already_exists') {}

/** The body is no export, or another import of the same org is under way. */
export class InvalidImportData extends invalid('invalid_import_data') {}

/** There is no storage of this name. */
export class InvalidStorageRef extends invalid('invalid_storage_ref') {}
