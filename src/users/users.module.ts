import { Module } from '@nestjs/common';
import { UsersDataModule } from './data/users-data.module.js';
import { NewPasswords } from './new-passwords.js';
import { PasswordHasher } from './password-hasher.js';

@Module({
  imports: [UsersDataModule],
  providers: [PasswordHasher, NewPasswords],
  exports: [UsersDataModule, PasswordHasher, NewPasswords],
})
export class UsersModule {}
