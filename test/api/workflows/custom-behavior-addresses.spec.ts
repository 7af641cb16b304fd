import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ApiClient } from '../../support/api-client.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';

describe('the address of a custom behavior', () => {
  let app: AppUnderTest;
  let api: ApiClient;
  let path: string;
  let canary: Server;
  let at: string;
  const reached: string[] = [];

  beforeAll(async () => {
    canary = createServer((request, response) => {
      reached.push(`${request.method ?? ''} ${request.url ?? ''}`);
      response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
    at = `127.0.0.1:${(canary.address() as AddressInfo).port}`;
    app = await startApp();
    api = await app.admin();
    path = `/orgs/${await app.defaultOrgId()}/crawlconfigs/validate/custom-behavior`;
  });
  afterAll(async () => {
    await app.close();
    await new Promise((resolve) => canary.close(resolve));
  });

  beforeEach(() => void reached.splice(0));

  // The API's parser takes a backslash as the end of the host, git's as part of the user name. They differ on the other
  // addresses likewise.
  it.each([
    (to: string) => `git+http://192.0.2.1\\@${to}/x`,
    (to: string) => `git+http://8.8.8.8\\@${to}/x`,
    (to: string) => `git+http://8.8.8.8\\\\@${to}/x`,
    (to: string) => `git+http:\\\\8.8.8.8\\@${to}/x`,
    (to: string) => `git+http://8.8.8.8#@${to}/x`,
    (to: string) => `git+http://8.8.8.8\t@${to}/x`,
    (to: string) => `git+http://user@${to}/x`,
    (to: string) => `git+http://${to}/x`,
    (to: string) => `http://8.8.8.8\\@${to}/x`,
    (to: string) => `http://8.8.8.8#@${to}/x`,
    (to: string) => `http://${to}/x`,
  ])('leads git and the API to the same host: %#', async (spelled) => {
    const answer = await api.post(path, { customBehavior: spelled(at) });
    expect([400, 404, 504]).toContain(answer.status);
    expect(reached).toEqual([]);
  });
});
