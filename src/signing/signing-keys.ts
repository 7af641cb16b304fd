import { createHash, createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import { RecentlyUsed } from '../common/objects/recently-used.js';
import { AppConfig } from '../config/app-config.js';
import type { SigningKey } from './data/signing-key.schema.js';
import { SigningKeysRepository, type NewSigningKey, type OrgOfKey } from './data/signing-keys.repository.js';
import { seal, unseal } from './sealed.js';

const generate = promisify(generateKeyPair);

export type PublicKey = Omit<SigningKey, 'sealed'>;

/** A key with its private half, ready to sign. */
export interface OpenKey {
  readonly id: string;
  /** Base64 of the SPKI form. */
  readonly publicKey: string;
  readonly privateKey: KeyObject;
}

/** Id of a key: SHA-256 of its SPKI form, in hex. @param publicKey base64 of the SPKI form */
export const keyIdOf = (publicKey: string): string =>
  createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('hex');

const purposeOf = (keyId: string): string => `signing key ${keyId}`;

/** Orgs whose private halves a process remembers. */
const MOST_OPENED = 100;

/** The keys of the installation and of its orgs. The database has them, so that all processes sign with one. */
@Injectable()
export class SigningKeys {
  /** Private halves that were unsealed, by the ids of their keys. */
  private readonly opened = new RecentlyUsed<OpenKey>(MOST_OPENED);

  constructor(
    private readonly keys: SigningKeysRepository,
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {}

  /**
   * The key that signs: the org's own, or the installation's, which is made on first use.
   * @param oid org whose archive is signed; without it the installation signs
   * @throws NotOurSeal when PASSWORD_SECRET has changed since
   */
  async current(oid?: string): Promise<OpenKey> {
    const own = oid === undefined ? null : await this.keys.currentOf(oid);
    const key = own ?? (await this.keys.current()) ?? (await this.first());
    return this.opened.of(key._id, () => this.open(key));
  }

  /** All keys that the org has had, the newest first. */
  ofOrg(oid: string): Promise<PublicKey[]> {
    return this.keys.ofOrg(oid);
  }

  /** Makes a new key of the org that signs its archives from now on. */
  async rotateOf(org: OrgOfKey): Promise<void> {
    while (!(await this.keys.rotateOf(org, await this.make())));
  }

  /** Lets the installation's key sign for the org again. @returns false when the org has no key of its own */
  async retireOf(oid: string): Promise<boolean> {
    return this.keys.retireOf(oid, this.clock.now());
  }

  all(): Promise<PublicKey[]> {
    return this.keys.all();
  }

  /** Makes a new key that signs from now on. @returns its id */
  async rotate(): Promise<string> {
    for (;;) {
      const before = await this.keys.current();
      const next = await this.make();
      if (await this.keys.rotate(before?._id ?? null, next)) return next._id;
    }
  }

  private async first(): Promise<SigningKey> {
    await this.keys.createFirst(await this.make());
    const key = await this.keys.current();
    if (!key) throw new Error('the signing key was retired while it was made');
    return key;
  }

  private open({ _id: id, publicKey, sealed }: SigningKey): OpenKey {
    const der = unseal(sealed ?? '', this.config.auth.passwordSecret, purposeOf(id));
    return { id, publicKey, privateKey: createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }) };
  }

  private async make(): Promise<NewSigningKey> {
    const pair = await generate('ec', { namedCurve: 'P-384' });
    const publicKey = pair.publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
    const _id = keyIdOf(publicKey);
    const der = pair.privateKey.export({ format: 'der', type: 'pkcs8' });
    const sealed = seal(der, this.config.auth.passwordSecret, purposeOf(_id));
    return { _id, publicKey, sealed, created: this.clock.now() };
  }
}
