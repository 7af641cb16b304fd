import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentOrg, RequireRole } from '../common/access/access.js';
import { PublicOrigin } from '../links/origins.js';
import { Returns } from '../common/openapi/returns.js';
import { nullable } from '../common/validation/composites.js';
import type { Org } from '../orgs/data/org.schema.js';
import { OrgPath } from '../orgs/dto/orgs.dto.js';
import {
  AddonMinutesPricing,
  CheckoutAddonMinutesResponse,
  SubscriptionPortalUrlResponse,
} from './dto/org-billing.dto.js';
import { CheckoutQuery } from './dto/subscriptions.dto.js';
import { JsonNull } from '../common/http/json-null.js';
import { OrgBilling } from './org-billing.service.js';

@ApiTags('organizations')
@Controller('orgs/:oid')
export class OrgBillingController {
  constructor(private readonly billing: OrgBilling) {}

  /** Returns the address of the org's billing portal. */
  @Get('billing-portal')
  @RequireRole('owner')
  @Returns(SubscriptionPortalUrlResponse, { notFound: true })
  async getBillingPortal(
    @Param() _path: OrgPath,
    @CurrentOrg() org: Org,
    @PublicOrigin() origin: string,
  ): Promise<SubscriptionPortalUrlResponse> {
    return { portalUrl: await this.billing.portalUrl(org, origin) };
  }

  /** Returns the price of further execution minutes. */
  @Get('price/execution-minutes')
  @RequireRole('owner')
  @JsonNull()
  @Returns(nullable(() => AddonMinutesPricing), { notFound: true })
  getExecutionMinutesPrice(@Param() _path: OrgPath, @CurrentOrg() org: Org): Promise<AddonMinutesPricing | null> {
    return this.billing.minutePrice(org);
  }

  /** Returns the address of a page that sells execution minutes. */
  @Get('checkout/execution-minutes')
  @RequireRole('owner')
  @Returns(CheckoutAddonMinutesResponse, { notFound: true })
  async getExecutionMinutesCheckout(
    @Param() _path: OrgPath,
    @Query() { minutes }: CheckoutQuery,
    @CurrentOrg() org: Org,
    @PublicOrigin() origin: string,
  ): Promise<CheckoutAddonMinutesResponse> {
    return { checkoutUrl: await this.billing.checkoutUrl(org, minutes ?? null, origin) };
  }
}
