import { Module } from '@nestjs/common';
import { InvitesDataModule } from './data/invites-data.module.js';
import { InvitesService } from './invites.service.js';

@Module({ imports: [InvitesDataModule], providers: [InvitesService], exports: [InvitesDataModule, InvitesService] })
export class InvitesModule {}
