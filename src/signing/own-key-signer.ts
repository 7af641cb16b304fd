import { sign } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import { SOFTWARE } from '../common/product.js';
import { minutes } from '../common/units/durations.js';
import { AppConfig } from '../config/app-config.js';
import type { SignedData } from '../../formats/wacz/signed-data.js';
import { NotOurSeal } from './sealed.js';
import { SigningKeys } from './signing-keys.js';
import { isSignable, SignerAway, WaczSigner } from './wacz-signer.js';

/** A package that states a time further from the database's is not signed under that time. */
const TOLERANCE_MS = minutes(10);

/** Signs with a key of the service's own, by the database's time. */
@Injectable()
export class OwnKeySigner extends WaczSigner {
  readonly isOn: boolean;

  constructor(
    private readonly keys: SigningKeys,
    private readonly clock: Clock,
    config: AppConfig,
  ) {
    super();
    this.isOn = config.signing.enabled;
  }

  override async sign(hash: string, created = this.clock.now().toISOString(), oid?: string): Promise<SignedData> {
    if (!this.isOn) throw new SignerAway('WACZ_SIGNING is off');
    if (!isSignable(hash)) throw new SignerAway('not a hash');
    if (!(Math.abs(Date.parse(created) - this.clock.nowMs()) <= TOLERANCE_MS))
      throw new SignerAway(`${created} is not the present time`);
    try {
      const { publicKey, privateKey } = await this.keys.current(oid);
      const signature = sign('sha256', Buffer.from(hash), { key: privateKey, dsaEncoding: 'ieee-p1363' });
      return { hash, created, software: SOFTWARE, signature: signature.toString('base64'), publicKey };
    } catch (error) {
      if (error instanceof NotOurSeal) throw new SignerAway(error.message, { cause: error });
      throw error;
    }
  }
}
