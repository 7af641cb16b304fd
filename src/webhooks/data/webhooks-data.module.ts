import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { Endpoint, EndpointSchema, SigningSecret, SigningSecretSchema } from './endpoint.schema.js';
import { EndpointsRepository } from './endpoints.repository.js';
import { Notification, NotificationSchema } from './notification.schema.js';
import { NotificationsQueries } from './notifications.queries.js';
import { NotificationsRepository } from './notifications.repository.js';

@Module({
  imports: [
    MongooseModule.forFeature([
      { name: Notification.name, schema: NotificationSchema },
      { name: Endpoint.name, schema: EndpointSchema },
      { name: SigningSecret.name, schema: SigningSecretSchema },
    ]),
  ],
  providers: [NotificationsRepository, NotificationsQueries, EndpointsRepository],
  exports: [NotificationsRepository, NotificationsQueries, EndpointsRepository],
})
export class WebhooksDataModule {}
