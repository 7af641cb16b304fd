import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { SECURITY_SCHEME } from '../access/access.js';
import type { ModelClass } from '../validation/kind.js';
import { modelRef, REFERRED } from '../validation/references.js';
import { contractForm } from './contract-form.js';
import { describeFields } from './described-fields.js';
import { refused } from './refused.dto.js';

const TAGS = [
  ...[
    'crawlconfigs',
    'crawls',
    'settings',
    'auth',
    'users',
    'organizations',
    'profiles',
    'uploads',
    'all-crawls',
    'qa',
  ],
  ...['pages', 'collections', 'webhooks', 'jobs', 'invites', 'subscriptions', 'userfiles'],
];

/** A body that the service posts to receivers, listed under `webhooks` of the document. */
export interface DocumentedBody {
  readonly name: string;
  readonly body: ModelClass;
}

const webhook = ({ name, body }: DocumentedBody) => {
  const content = { 'application/json': { schema: modelRef(body) } };
  const answered = { description: '', content: { 'application/json': { schema: {} } } };
  return [name, { post: { requestBody: { required: true, content }, responses: { 200: answered, 422: refused } } }];
};

/** The name of the operation in generated clients: `orgMembers_invite`. */
const operationId = (controller: string, method: string): string =>
  `${controller.charAt(0).toLowerCase()}${controller.slice(1).replace(/Controller$/, '')}_${method}`;

/** The OpenAPI 3.1 document of the app's routes. */
export function writeDocument(
  app: INestApplication,
  version: string,
  webhooks: readonly DocumentedBody[],
): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Browsertrix')
    .setVersion(version)
    .addServer('/', 'The deployment that serves this document.')
    .addExtension('x-logo', { url: '/docs-logo.svg' }, 'info')
    .addOAuth2(
      { type: 'oauth2', flows: { password: { scopes: {}, tokenUrl: '/api/auth/jwt/login' } } },
      SECURITY_SCHEME,
    );
  for (const tag of TAGS) config.addTag(tag);
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
    { autoTagControllers: false, extraModels: [...REFERRED.models], operationIdFactory: operationId },
  );
  return contractForm(document);
}
