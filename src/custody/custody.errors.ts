import { notFound } from '../common/errors/domain-error.js';

/** The installation's key signs for the org. */
export class NoOwnSigningKey extends notFound('no_own_signing_key') {}
