import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, RequireSharedSecret, type Principal } from '../common/access/access.js';
import { MailOrigin } from '../links/origins.js';
import { Returns } from '../common/openapi/returns.js';
import type { ListPage } from '../common/pagination/page.js';
import { AddedResponseId, SuccessResponse, UpdatedResponse } from '../common/responses/responses.dto.js';
import {
  InviteAddedResponse,
  PaginatedSubscriptionEventResponse,
  SubscriptionAddMinutes,
  SubscriptionCancel,
  SubscriptionCanceledResponse,
  SubscriptionCreate,
  SubscriptionImport,
  SubscriptionEventsQuery,
  SubscriptionPath,
  SubscriptionTrialEndReminder,
  SubscriptionUpdate,
} from './dto/subscriptions.dto.js';
import { NewSubscriptions } from './new-subscriptions.js';
import { SubscriptionChanges } from './subscription-changes.js';
import type { SubscriptionEventOut } from './subscription-event.presenter.js';
import { SubscriptionQueries } from './subscription-queries.js';

@ApiTags('subscriptions')
@RequireSharedSecret('subscriptions')
@Controller('subscriptions')
export class SubscriptionsController {
  constructor(
    private readonly created: NewSubscriptions,
    private readonly changes: SubscriptionChanges,
    private readonly queries: SubscriptionQueries,
  ) {}

  /** Creates an org with a subscription and invites its first owner. */
  @Post('create')
  @Returns(InviteAddedResponse)
  create(
    @Caller() caller: Principal,
    @Body() body: SubscriptionCreate,
    @MailOrigin() origin: string,
  ): Promise<InviteAddedResponse> {
    return this.created.create(caller, body, origin);
  }

  /** Gives a subscription to an org that exists. */
  @Post('import')
  @Returns(AddedResponseId)
  async import(@Body() body: SubscriptionImport): Promise<AddedResponseId> {
    await this.created.import(body);
    return { added: true, id: body.oid };
  }

  /** Changes a subscription: its state, plan, quotas or planned end. */
  @Post('update')
  @Returns(UpdatedResponse)
  async update(@Body() body: SubscriptionUpdate): Promise<UpdatedResponse> {
    await this.changes.update(body);
    return { updated: true };
  }

  /** Ends a subscription. Its org is deleted, or becomes read-only if that was asked for. */
  @Post('cancel')
  @Returns(SubscriptionCanceledResponse)
  async cancel(@Body() { subId }: SubscriptionCancel): Promise<SubscriptionCanceledResponse> {
    return { canceled: true, deleted: await this.changes.cancel(subId) };
  }

  /** Adds execution minutes that an org bought. */
  @Post('add-minutes')
  @Returns(UpdatedResponse)
  async addSubscriptionMinutes(@Body() body: SubscriptionAddMinutes): Promise<UpdatedResponse> {
    await this.changes.addMinutes(body);
    return { updated: true };
  }

  /** Sends a mail to the org's owners that the trial is about to end. */
  @Post('send-trial-end-reminder')
  @Returns(SuccessResponse)
  async sendTrialEndReminder(@Body() body: SubscriptionTrialEndReminder): Promise<SuccessResponse> {
    await this.queries.remindOfTrialEnd(body);
    return { success: true };
  }

  /** Tells whether somebody has taken the org of a subscription over. */
  @Get('is-activated/:sub_id')
  @Returns(SuccessResponse)
  async isSubscriptionActivated(@Param() { sub_id }: SubscriptionPath): Promise<SuccessResponse> {
    return { success: await this.queries.isActivated(sub_id) };
  }

  /** Lists what happened to subscriptions. */
  @Get('events')
  @Returns(PaginatedSubscriptionEventResponse)
  listSubscriptionEvents(@Query() query: SubscriptionEventsQuery): Promise<ListPage<SubscriptionEventOut>> {
    return this.queries.events(query);
  }
}
