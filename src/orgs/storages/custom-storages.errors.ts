import { invalid } from '../../common/errors/domain-error.js';

/** The org has a storage of this name. */
export class StorageAlreadyExists extends invalid('storage_already_exists') {}
/** Nothing could be written to the storage. */
export class StorageNotVerified extends invalid('Could not verify custom storage. Check credentials are valid?') {}
/** The org uses the storage, or something is stored in it. */
export class StorageInUse extends invalid('storage_in_use') {}
/** There is no storage of this name. */
export class NoSuchStorage extends invalid('no_such_storage') {}
