import { Module } from '@nestjs/common';
import { SigningDataModule } from './data/signing-data.module.js';
import { KeysController } from './keys.controller.js';
import { OwnKeySigner } from './own-key-signer.js';
import { SigningKeys } from './signing-keys.js';
import { TimeStamps } from './time-stamps.js';
import { WaczSigner } from './wacz-signer.js';

/** Signs what the installation writes, with keys that only the service has. */
@Module({
  imports: [SigningDataModule],
  controllers: [KeysController],
  providers: [SigningKeys, TimeStamps, { provide: WaczSigner, useClass: OwnKeySigner }],
  exports: [SigningKeys, TimeStamps, WaczSigner],
})
export class SigningModule {}
