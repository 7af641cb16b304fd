import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { SECURITY_SCHEME } from '../access/access.js';
import type { ModelClass } from '../validation/kind.js';
import { modelRef, REFERRED } from '../validation/references.js';
import { contractForm } from './contract-form.js';
import { describeFields } from './described-fields.js';
import { refused } from './refused.dto.js';

/** The contract's tags and what their operations are about. */
const TAGS: Record<string, string> = {
  crawlconfigs: 'Workflows: what to crawl, how and when.',
  crawls: 'Crawls: what workflows made, running or finished, their control, logs and queue.',
  settings: 'What the deployment tells its clients.',
  auth: 'Log-in, registration, passwords.',
  users: "The caller's own account.",
  organizations: 'Orgs: members, quotas, settings, storage, export.',
  profiles: 'Browser profiles, and the browsers that they are made in.',
  uploads: 'Uploads: archived items that come from elsewhere.',
  'all-crawls': 'Archived items of both kinds, crawls and uploads.',
  qa: 'Quality assurance: runs that compare what was archived with its replay.',
  pages: 'Pages of items and collections, their review and notes.',
  collections: 'Collections of items, and how they are published.',
  audit: 'The audit log: who did what, and the files of closed days.',
  webhooks: 'What was told to receivers outside, and the secret that signs it.',
  jobs: 'Background jobs of the service.',
  invites: 'Invites to orgs.',
  subscriptions: 'Subscriptions, for a billing service.',
  userfiles: 'Files of users: lists of start URLs.',
  wasapi: 'WASAPI: the web archives of an account, for the clients of libraries.',
};

const ABOUT = `Crawls web sites with a real browser, keeps them as WACZ files, checks their quality and publishes collections.

**Log-in.** \`POST /api/auth/jwt/login\` answers an \`access_token\`; send it as \`Authorization: Bearer …\`. Where a header cannot be sent, the query parameter \`auth_bearer\` stands in for it.

**Lists** have pages: \`page\` counts from 1, \`pageSize\` is the number of items, and the answer has the \`total\`.

**Times** are UTC in ISO 8601, sizes are bytes, and ids of orgs, workflows and collections are UUIDs.

**Errors** are JSON with a \`detail\`: a stable code, or with 422 a list of what is wrong where. Each operation lists its own. Any may also answer 408 \`request_body_timeout\`, 429 \`too_many_open_requests\`, 500 \`Internal Server Error\` and 503 \`database_unavailable\`; 429 and 503 say in \`Retry-After\` when to try again.

**Media types** are JSON but for downloads (\`application/wacz+zip\`), logs (\`text/jsonl\`), tables (\`text/csv\`), images and event streams (\`text/event-stream\`). Files are sent as the body of a request, byte for byte (\`application/octet-stream\`, and \`application/offset+octet-stream\` for tus).`;

/** A body that the service posts to receivers, listed under `webhooks` of the document. */
export interface DocumentedBody {
  readonly name: string;
  readonly body: ModelClass;
  readonly example: object;
}

const webhook = ({ name, body, example }: DocumentedBody) => {
  const content = { 'application/json': { schema: modelRef(body), example } };
  const answered = {
    description: 'Any answer of status 200 to 299 says that it came.',
    content: { 'application/json': { schema: {} } },
  };
  const told = {
    operationId: `on${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    summary: `Tells that ${name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`,
    security: [],
    requestBody: { required: true, description: 'What happened.', content },
  };
  return [name, { post: { ...told, responses: { 200: answered, 422: refused } } }];
};

/** What `contractForm` makes names of, and finds errors by. */
const handlerOf = (controller: string, method: string): string => `${controller}.${method}`;

/** The OpenAPI 3.1 document of the app's routes. */
export function writeDocument(
  app: INestApplication,
  version: string,
  webhooks: readonly DocumentedBody[],
): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Muniment')
    .setDescription(ABOUT)
    .setLicense('AGPL-3.0-or-later', 'https://www.gnu.org/licenses/agpl-3.0.html')
    .setVersion(version)
    .addServer('/', 'The deployment that serves this document.')
    .addExtension('x-logo', { url: '/docs-logo.svg' }, 'info')
    .addOAuth2(
      { type: 'oauth2', flows: { password: { scopes: {}, tokenUrl: '/api/auth/jwt/login' } } },
      SECURITY_SCHEME,
    );
  for (const [name, what] of Object.entries(TAGS)) config.addTag(name, what);
  describeFields();
  const schemas = Object.fromEntries([...REFERRED.named].map(([name, schema]) => [name, schema()]));
  const built = config.build();
  const document = SwaggerModule.createDocument(
    app,
    {
      ...built,
      components: { ...built.components, schemas },
      webhooks: Object.fromEntries(webhooks.map(webhook)),
    } as Omit<OpenAPIObject, 'paths'>,
    { autoTagControllers: false, extraModels: [...REFERRED.models], operationIdFactory: handlerOf },
  );
  return contractForm(document);
}
