import { operationName } from './operation-names.js';

describe('the name of an operation', () => {
  it.each([
    ['CrawlsController', 'list', 'listCrawls'],
    ['CrawlsController', 'get', 'getCrawl'],
    ['OrgMembersController', 'acceptInvite', 'acceptInvite'],
    ['AccessController', 'check', 'checkAccess'],
    ['JobsController', 'retryAll', 'retryAllJobs'],
    ['QaController', 'startQa', 'startQa'],
  ])('%s.%s is %s', (controller, handler, name) => expect(operationName(controller, handler)).toBe(name));
});
