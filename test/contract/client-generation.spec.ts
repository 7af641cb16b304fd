import { apiDocument } from '../../src/console/api-document.js';
import { startApp, type AppUnderTest } from '../support/start-app.js';

interface Operation {
  operationId: string;
  parameters?: { in: string; name: string; required: boolean; schema: object }[];
}

/** What generators of clients need beside the contract. */
describe('the OpenAPI document, to generators of clients', () => {
  let running: AppUnderTest;
  let operations: [name: string, path: string, operation: Operation][];

  beforeAll(async () => {
    running = await startApp({ env: { BILLING_ENABLED: 'true' } });
    const paths = apiDocument(running.app).paths as unknown as Record<string, Record<string, Operation>>;
    operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]): [string, string, Operation] => [
        `${method.toUpperCase()} ${path}`,
        path,
        operation,
      ]),
    );
  });
  afterAll(() => running?.close());

  it('declares every parameter that stands in a path, once and as required', () => {
    const wrong = operations.filter(([, path, { parameters = [] }]) => {
      const declared = parameters.filter((parameter) => parameter.in === 'path' && parameter.required);
      const standing = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      return (
        declared
          .map(({ name }) => name)
          .sort()
          .join() !== standing.sort().join()
      );
    });
    expect(wrong.map(([name]) => name)).toEqual([]);
  });

  it('gives every operation an id of its own, which languages can take for a name', () => {
    const ids = operations.map(([, , { operationId }]) => operationId);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(ids.filter((id) => !/^[a-z]+(?:[A-Z][a-z]+)+$/.test(id))).toEqual([]);
  });

  it('names the server it is of, and a logo that is there; pages have an icon', async () => {
    const { servers, info } = apiDocument(running.app);
    expect(servers?.map(({ url }) => url)).toEqual(['/']);
    const logo = (info as unknown as { 'x-logo': { url: string } })['x-logo'].url;
    for (const image of [logo, '/favicon.ico']) {
      const answer = await fetch(new URL(image, running.baseUrl));
      expect([image, answer.status, answer.headers.get('content-type')]).toEqual([
        image,
        200,
        expect.stringMatching(/^image\/svg\+xml/),
      ]);
      expect(await answer.text()).toContain('<svg');
    }
  });
});
