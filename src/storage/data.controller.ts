import { All, Controller, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';

import { Public } from '../common/access/access.js';
import { DataServer } from './data-server.js';

/** Objects on the API's own host; the signature in the URL is the access check, as it would be on an S3 server. */
@ApiExcludeController()
@Controller()
export class DataController {
  constructor(private readonly data: DataServer) {}

  /** Players expect an S3 server here, not the API, so `DataServer` makes the answers. */
  @All('data/{*key}')
  @Public()
  async serve(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.data.handle(request, response, request.originalUrl);
  }
}
