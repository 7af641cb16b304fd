import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Public } from '../common/access/access.js';
import { Returns } from '../common/openapi/returns.js';
import { wireTime, wireTimeOrNull } from '../common/validation/date-time.js';
import { PublishedKeys } from './dto/keys.dto.js';
import { SigningKeys } from './signing-keys.js';

const ALGORITHM = 'ECDSA P-384, SHA-256';

/** The keys that signatures of this installation and its orgs are compared with. This route is ours. */
@ApiTags('signing')
@Controller('.well-known')
export class KeysController {
  constructor(private readonly keys: SigningKeys) {}

  /** Returns the public keys of the installation and of orgs that have their own, retired ones included. */
  @Get('muniment-keys.json')
  @Public()
  @Returns(PublishedKeys)
  async list(): Promise<PublishedKeys> {
    const keys = await this.keys.all();
    return {
      keys: keys.map(({ _id: id, publicKey, created, retired, oid, orgName }) => ({
        ...{ id, algorithm: ALGORITHM, publicKey },
        ...{ created: wireTime(created), retired: wireTimeOrNull(retired) },
        org: oid === undefined ? null : { id: oid, name: orgName ?? '' },
      })),
    };
  }
}
