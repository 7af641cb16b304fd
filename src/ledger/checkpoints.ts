import { sign } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import { SigningKeys } from '../signing/signing-keys.js';
import { isSignedByKey } from '../wacz/signature.js';
import type { AuditCheckpoint } from './data/chain.facts.js';
import { checkpointText } from './rules/checkpoint-text.js';

/** Signs where a chain was cut, so that the rest of it is still believed. */
@Injectable()
export class Checkpoints {
  constructor(
    private readonly keys: SigningKeys,
    private readonly clock: Clock,
  ) {}

  /** @throws NotOurSeal when PASSWORD_SECRET has changed since the key was made */
  async sign(oid: string | null, { day, digest }: { day: string; digest: string }): Promise<AuditCheckpoint> {
    const { id: keyId, privateKey } = await this.keys.current();
    const cutAt = this.clock.now();
    const text = Buffer.from(checkpointText(oid, { day, digest, cutAt }));
    const signature = sign('sha256', text, { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64');
    return { day, digest, cutAt, keyId, signature };
  }

  /** Whether a key of this installation, present or retired, has signed it for this chain. */
  async isValid(oid: string | null, checkpoint: AuditCheckpoint): Promise<boolean> {
    const key = (await this.keys.all()).find(({ _id }) => _id === checkpoint.keyId);
    return key !== undefined && isSignedByKey(key.publicKey, checkpointText(oid, checkpoint), checkpoint.signature);
  }
}
