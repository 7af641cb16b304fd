import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AppConfig } from '../../config/app-config.js';
import { Invite, InviteSchema } from './invite.schema.js';
import { InvitesRepository } from './invites.repository.js';

@Module({
  imports: [
    MongooseModule.forFeatureAsync([
      {
        name: Invite.name,
        inject: [AppConfig],
        useFactory: ({ accounts }: AppConfig) =>
          InviteSchema.clone().index({ created: 1 }, { expireAfterSeconds: accounts.inviteLifetimeSeconds }),
      },
    ]),
  ],
  providers: [InvitesRepository],
  exports: [InvitesRepository],
})
export class InvitesDataModule {}
