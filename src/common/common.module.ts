import { Global, Module, type DynamicModule } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { DeclaredAccessCheck } from './access/declared-access.js';
import { Clock, SystemClock } from './clock/clock.js';
import { Discovered } from './discovery/discovered.js';
import { ExceptionToDetail } from './errors/exception.filter.js';
import { Names } from './http/names.js';
import { GuardedClient } from './http/guarded-client.js';
import { OpenBodies } from './http/open-bodies.js';
import { Outcomes } from './metrics/outcomes.js';
import { RouteTable } from './http/route-table.js';
import { ContractPipe } from './validation/contract.pipe.js';
import { InputIssues } from './validation/input-issues.interceptor.js';

/** What every room uses: time, access, input, errors. */
@Global()
@Module({})
export class CommonModule {
  /** @param clock replaces the system's time in tests */
  static with(clock: Clock = new SystemClock()): DynamicModule {
    const services = [
      Discovered,
      GuardedClient,
      Names,
      OpenBodies,
      Outcomes,
      RouteTable,
      DeclaredAccessCheck,
      ContractPipe,
      InputIssues,
      ExceptionToDetail,
    ];
    return {
      module: CommonModule,
      imports: [DiscoveryModule],
      providers: [{ provide: Clock, useValue: clock }, ...services],
      exports: [Clock, DiscoveryModule, ...services],
    };
  }
}
