import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentOrg, RequireRole } from '../common/access/access.js';
import { KeyScopeIs } from '../common/access/key-scopes.js';
import { Returns } from '../common/openapi/returns.js';
import { SuccessResponse } from '../common/responses/responses.dto.js';
import { wireTime } from '../common/validation/date-time.js';
import type { Org } from '../orgs/data/org.schema.js';
import {
  PaginatedWebhookNotificationResponse,
  WebhookEndpoints,
  WebhookNotification,
  RotatedWebhookSecret,
  WebhookSecret,
  WebhookTest,
  EndpointPath,
  NotificationPath,
  WebhooksQuery,
} from './dto/webhooks.dto.js';
import { ReceiverTest } from './receiver-test.js';
import { SigningSecrets } from './signing-secrets.js';
import { toNotification } from './webhook.presenter.js';
import { WebhooksService } from './webhooks.service.js';

@ApiTags('webhooks')
@Controller('orgs/:oid')
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly secrets: SigningSecrets,
    private readonly tests: ReceiverTest,
  ) {}

  /** Lists the org's notifications. */
  @Get('webhooks')
  @Returns(PaginatedWebhookNotificationResponse, { notFound: true })
  @RequireRole('owner')
  async listWebhookNotifications(
    @CurrentOrg() org: Org,
    @Query() query: WebhooksQuery,
  ): Promise<PaginatedWebhookNotificationResponse> {
    const page = await this.webhooks.list(org, query);
    return { ...page, items: page.items.map(toNotification) };
  }

  /** Returns one notification with its latest tries. */
  @Get('webhooks/:notificationid')
  @Returns(WebhookNotification, { notFound: true })
  @RequireRole('owner')
  async getWebhookNotification(@CurrentOrg() org: Org, @Param() path: NotificationPath): Promise<WebhookNotification> {
    return toNotification(await this.webhooks.get(org, path.notificationid));
  }

  /** Sends a notification again in the background. */
  @Post('webhooks/:notificationid/retry')
  @Returns(SuccessResponse, { notFound: true })
  @RequireRole('owner')
  async retryWebhookNotification(@CurrentOrg() org: Org, @Param() path: NotificationPath): Promise<SuccessResponse> {
    await this.webhooks.retry(org, path.notificationid);
    return { success: true };
  }

  /** Returns the secret that signs this org's notifications by Standard Webhooks 1.0. */
  @Get('event-webhook-secret')
  @KeyScopeIs('webhooks:write')
  @Returns(WebhookSecret)
  @RequireRole('owner')
  async getWebhookSecret(@CurrentOrg() org: Org): Promise<WebhookSecret> {
    return { secret: (await this.secrets.of(org._id)).secret };
  }

  /** Replaces the secret. The old one continues to sign beside the new one for 24 hours. */
  @Post('event-webhook-secret/rotate')
  @Returns(RotatedWebhookSecret)
  @RequireRole('owner')
  async rotateWebhookSecret(@CurrentOrg() org: Org): Promise<RotatedWebhookSecret> {
    const { secret, previousValidUntil } = await this.secrets.rotate(org._id);
    return { secret, previousValidUntil: wireTime(previousValidUntil ?? new Date(0)) };
  }

  /** Lists the state of each event's receiver. */
  @Get('event-webhook-endpoints')
  @Returns(WebhookEndpoints)
  @RequireRole('owner')
  async listWebhookEndpoints(@CurrentOrg() org: Org): Promise<WebhookEndpoints> {
    return { items: await this.webhooks.listEndpoints(org) };
  }

  /** Resumes a paused receiver and sends the notifications that were kept for it. */
  @Post('event-webhook-endpoints/:event/resume')
  @Returns(SuccessResponse)
  @RequireRole('owner')
  async resumeWebhookEndpoint(@CurrentOrg() org: Org, @Param() path: EndpointPath): Promise<SuccessResponse> {
    await this.webhooks.resume(org, path.event);
    return { success: true };
  }

  /**
   * Sends an example of the event to its receiver and waits for the answer. The body says `test: true` and is signed as
   * all are; nothing is kept of it. @throws WebhookUrlNotSet
   */
  @Post('event-webhook-endpoints/:event/test')
  @Returns(WebhookTest)
  @RequireRole('owner')
  async testWebhookEndpoint(@CurrentOrg() org: Org, @Param() path: EndpointPath): Promise<WebhookTest> {
    const { success, made } = await this.tests.send(org, path.event);
    return { ...made, at: wireTime(made.at), success };
  }
}
