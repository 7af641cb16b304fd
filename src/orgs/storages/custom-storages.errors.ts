import { Invalid } from '../../common/errors/domain-error.js';

export class StorageAlreadyExists extends Invalid {
  readonly detail = 'storage_already_exists';
}

export class StorageNotVerified extends Invalid {
  readonly detail = 'Could not verify custom storage. Check credentials are valid?';
}

export class StorageInUse extends Invalid {
  readonly detail = 'storage_in_use';
}

export class NoSuchStorage extends Invalid {
  readonly detail = 'no_such_storage';
}
