import { Module } from '@nestjs/common';
import { ItemsDataModule } from '../items/data/items-data.module.js';
import { OrgsModule } from '../orgs/orgs.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { modelsOf } from '../database/data-module.js';
import { EndpointSchema, SigningSecretSchema } from './data/endpoint.schema.js';
import { EndpointsRepository } from './data/endpoints.repository.js';
import { NotificationSchema } from './data/notification.schema.js';
import { NotificationsQueries } from './data/notifications.queries.js';
import { NotificationsRepository } from './data/notifications.repository.js';
import { Delivery } from './delivery.js';
import { DeliveryResults } from './delivery-results.js';
import { DeliveryTimes } from './delivery-times.js';
import { DeliveryWorker } from './delivery-worker.js';
import { PauseNotice } from './pause-notice.js';
import { Receivers } from './receivers.js';
import { ReceiverTest } from './receiver-test.js';
import { SigningSecrets } from './signing-secrets.js';
import { WebhookBodies } from './webhook-bodies.js';
import { WebhookListeners } from './webhook-listeners.js';
import { WebhookRecorder } from './webhook-recorder.js';
import { WebhookSender } from './webhook-sender.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksService } from './webhooks.service.js';

/** Notifications about an org's events. They are stored first and then delivered. */
@Module({
  imports: [
    ItemsDataModule,
    OrgsModule,
    StorageModule,
    modelsOf({ Notification: NotificationSchema, Endpoint: EndpointSchema, SigningSecret: SigningSecretSchema }),
  ],
  controllers: [WebhooksController],
  providers: [
    NotificationsRepository,
    NotificationsQueries,
    EndpointsRepository,
    Delivery,
    DeliveryResults,
    DeliveryTimes,
    DeliveryWorker,
    PauseNotice,
    Receivers,
    ReceiverTest,
    SigningSecrets,
    WebhookBodies,
    WebhookListeners,
    WebhookRecorder,
    WebhookSender,
    WebhooksService,
  ],
})
export class WebhooksModule {}
