import type { SignedData } from '../../formats/wacz/signed-data.js';

/** Signs the WACZs that this installation writes, for an org with its own key where it has one. The keys never leave the service. */
export abstract class WaczSigner {
  /** Whether the installation signs at all (WACZ_SIGNING). */
  abstract readonly isOn: boolean;

  /**
   * Signs the text of a hash.
   * @param hash `sha256:<hex>`
   * @param created the time that the package states, which the signature repeats; the present one when absent
   * @param oid org that the package belongs to
   * @throws SignerAway, or the failure of the database
   */
  abstract sign(hash: string, created?: string, oid?: string): Promise<SignedData>;
}

/** Nobody can sign now. */
export class SignerAway extends Error {}

/** The only texts that are signed, so that a signature can be taken for nothing else. */
export const isSignable = (hash: unknown): hash is string =>
  typeof hash === 'string' && /^sha256:[0-9a-f]{64}$/.test(hash);
