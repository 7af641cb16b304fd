import { Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { RequireRole } from './access.js';
import { keyDemandOf } from './key-scopes.js';

abstract class Lists {
  @Get()
  @RequireRole('viewer')
  list(this: void): void {
    return;
  }
}

@ApiTags('crawls')
class OfCrawls extends Lists {}
@ApiTags('profiles')
class OfProfiles extends Lists {}

describe('what a route demands of an API key', () => {
  it('is told by the tag of the controller, for a handler that several inherit', () => {
    const demands = [OfCrawls, OfProfiles].map((controller) => keyDemandOf(controller, controller.prototype.list));
    expect(demands).toEqual(['items:read', 'profiles:read']);
  });
});
