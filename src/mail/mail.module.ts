import { Global, Module } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import { AppConfig } from '../config/app-config.js';
import { MailDataModule } from './data/mail-data.module.js';
import { MailLimits } from './mail-limits.js';
import { MailTemplates } from './mail-templates.js';
import { MailTexts } from './mail-texts.js';
import { Mailer } from './mailer.js';
import { mailerFor } from './mailer-for.js';
import { Mails } from './mails.js';

@Global()
@Module({
  imports: [MailDataModule],
  providers: [
    { provide: Mailer, inject: [AppConfig, Clock], useFactory: mailerFor },
    MailTemplates,
    MailTexts,
    MailLimits,
    Mails,
  ],
  exports: [Mails, Mailer, MailTemplates],
})
export class MailModule {}
