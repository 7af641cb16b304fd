import { randomBytes } from 'node:crypto';
import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentOrg, RequireRole } from '../common/access/access.js';
import { Returns } from '../common/openapi/returns.js';
import { PublicOrigin } from '../links/origins.js';
import type { Org } from '../orgs/data/org.schema.js';
import { ItemPath } from '../pages/dto/page-queries.dto.js';
import { Custody } from './custody.js';
import { custodyPage } from './custody-page.js';
import { CustodyOut, CustodyQuery } from './dto/custody.dto.js';

/** Proof of what an item is and what happened to it. This route is ours. */
@ApiTags('all-crawls')
@Controller('orgs/:oid/all-crawls')
export class CustodyController {
  constructor(private readonly custody: Custody) {}

  /**
   * Returns who signed each file of the item, whether the signatures are valid now, and what happened to the files
   * since; as JSON, or as a page to print.
   * @throws ItemNotFound
   */
  @Get(':crawl_id/custody')
  @RequireRole('viewer')
  @Returns(CustodyOut)
  async get(
    @Param() { crawl_id: itemId }: ItemPath,
    @Query() { format }: CustodyQuery,
    @CurrentOrg() org: Org,
    @PublicOrigin() origin: string,
    @Res() response: Response,
  ): Promise<void> {
    const custody = await this.custody.of(org, itemId, origin);
    const isPage = (format ?? response.req.accepts(['json', 'html'])) === 'html';
    if (isPage) sendPage(response, custody);
    else response.set('Vary', 'Accept').json(custody);
  }
}

function sendPage(response: Response, custody: CustodyOut): void {
  const nonce = randomBytes(16).toString('base64');
  response.set({
    'Content-Security-Policy':
      `default-src 'none'; style-src 'nonce-${nonce}'; ` +
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-modals",
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
    Vary: 'Accept',
  });
  response.type('html').send(custodyPage(custody, nonce));
}
