import { Module } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import { AppConfig } from '../config/app-config.js';
import { modelsOf } from '../database/data-module.js';
import { MailCounts } from './data/mail-counts.repository.js';
import { MailCountSchema } from './data/mail-counts.schema.js';
import { MailLimits } from './mail-limits.js';
import { MailTemplates } from './mail-templates.js';
import { MailTexts } from './mail-texts.js';
import { Mailer } from './mailer.js';
import { mailerFor } from './mailer-for.js';
import { Mails } from './mails.js';

@Module({
  imports: [modelsOf({ MailCount: MailCountSchema })],
  providers: [
    MailCounts,
    { provide: Mailer, inject: [AppConfig, Clock], useFactory: mailerFor },
    MailTemplates,
    MailTexts,
    MailLimits,
    Mails,
  ],
  exports: [Mails, Mailer, MailTemplates],
})
export class MailModule {}
