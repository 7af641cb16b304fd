import { Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, RequireSuperuser, type Principal } from '../common/access/access.js';
import { Returns } from '../common/openapi/returns.js';
import { SystemState, TestMailResult } from './dto/system.dto.js';
import { SystemService } from './system.service.js';

@ApiTags('settings')
@Controller('system')
export class SystemController {
  constructor(private readonly system: SystemService) {}

  /** Versions, driver, database, storages, free space of the process that answers. */
  @Get()
  @Returns(SystemState)
  @RequireSuperuser()
  getSystemState(): Promise<SystemState> {
    return this.system.state();
  }

  /** Sends a test mail to the caller's own address. A server that refuses it is no error: the answer says why. */
  @Post('test-mail')
  @Returns(TestMailResult)
  @RequireSuperuser()
  sendTestMail(@Caller() { email }: Principal): Promise<TestMailResult> {
    return this.system.sendTestMail(email);
  }
}
