import { invalid } from '../../common/errors/domain-error.js';

export class StorageAlreadyExists extends invalid('storage_already_exists') {}
export class StorageNotVerified extends invalid('Could not verify custom storage. Check credentials are valid?') {}
export class StorageInUse extends invalid('storage_in_use') {}
export class NoSuchStorage extends invalid('no_such_storage') {}
