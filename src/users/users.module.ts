import { Module } from '@nestjs/common';
import { UsersDataModule } from './data/users-data.module.js';
import { PasswordHasher } from './password-hasher.js';

@Module({ imports: [UsersDataModule], providers: [PasswordHasher], exports: [UsersDataModule, PasswordHasher] })
export class UsersModule {}
