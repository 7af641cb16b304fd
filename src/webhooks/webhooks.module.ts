import { Module } from '@nestjs/common';
import { ItemsDataModule } from '../items/data/items-data.module.js';
import { OrgsDataModule } from '../orgs/data/orgs-data.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { WebhooksDataModule } from './data/webhooks-data.module.js';
import { ClaimedLine } from './claimed-line.js';
import { Delivery } from './delivery.js';
import { DeliveryResults } from './delivery-results.js';
import { DeliveryTimes } from './delivery-times.js';
import { DeliveryWorker } from './delivery-worker.js';
import { PauseNotice } from './pause-notice.js';
import { Receivers } from './receivers.js';
import { SigningSecrets } from './signing-secrets.js';
import { WebhookBodies } from './webhook-bodies.js';
import { WebhookListeners } from './webhook-listeners.js';
import { WebhookRecorder } from './webhook-recorder.js';
import { WebhookSender } from './webhook-sender.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksService } from './webhooks.service.js';

/** Notifications of what happened in an org, stored first and then delivered. */
@Module({
  imports: [WebhooksDataModule, OrgsDataModule, ItemsDataModule, StorageModule],
  controllers: [WebhooksController],
  providers: [
    ClaimedLine,
    Delivery,
    DeliveryResults,
    DeliveryTimes,
    DeliveryWorker,
    PauseNotice,
    Receivers,
    SigningSecrets,
    WebhookBodies,
    WebhookListeners,
    WebhookRecorder,
    WebhookSender,
    WebhooksService,
  ],
})
export class WebhooksModule {}
