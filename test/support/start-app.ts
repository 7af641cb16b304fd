import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import type { ModuleMetadata } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { loadConfig } from '../../src/config/load-config.js';
import { createApp } from '../../src/create-app.js';
import { ApiClient } from './api-client.js';
import { describedRoutes } from './described-routes.js';
import { ResponseCheck } from './response-check.js';
import { TestClock } from './test-clock.js';

export const ADMIN = { email: 'admin@example.com', password: 'PASSW0RD!of-tests' };

export interface AppUnderTest {
  readonly app: NestExpressApplication;
  readonly clock: TestClock;
  readonly dataDir: string;
  readonly baseUrl: string;
  readonly connection: Connection;
  /** Calls without a token. */
  readonly api: ApiClient;
  /** A client logged in with these credentials. */
  login(email: string, password: string): Promise<ApiClient>;
  /** The superuser's client. */
  admin(): Promise<ApiClient>;
  /** Id of the default org. */
  defaultOrgId(): Promise<string>;
  /** Stops the service; the database and DATA_DIR stay for a second `startApp({ like })`. */
  stop(): Promise<void>;
  /** Stops the service and deletes its database and files. */
  close(): Promise<void>;
}

export interface StartOptions {
  /** Environment variables over the tests' defaults. */
  env?: Record<string, string>;
  /** Run cron providers; most tests call the services instead. */
  schedules?: boolean;
  /** Start another process on the database, files and clock of this one. */
  like?: AppUnderTest;
  /** Real time instead of the TestClock. */
  realTime?: boolean;
  /** The TestClock begins today: for tests with a real store or browser, which have clocks of their own. */
  today?: boolean;
  overrides?: NonNullable<ModuleMetadata['imports']>;
}

/** Starts the whole service in this process, on a database and a DATA_DIR of its own, listening on a free port. */
export async function startApp(options: StartOptions = {}): Promise<AppUnderTest> {
  const { env = {}, schedules = false, like, realTime = false, today = false, overrides = [] } = options;
  const mongo = process.env['MUNIMENT_TEST_MONGO_URL'];
  if (!mongo) throw new Error('MUNIMENT_TEST_MONGO_URL is not set: run the tests through jest with its global setup.');
  const clock = like?.clock ?? new TestClock();
  if (today) clock.set(new Date());
  const dataDir = like?.dataDir ?? (await mkdtemp(join(tmpdir(), 'muniment-test-')));
  const dbName = like?.connection.name ?? `t_${randomBytes(8).toString('hex')}`;
  const config = loadConfig({
    MONGO_DB_URL: mongo,
    MONGO_DB_NAME: dbName,
    DATA_DIR: dataDir,
    PORT: '0',
    SUPERUSER_EMAIL: ADMIN.email,
    SUPERUSER_PASSWORD: ADMIN.password,
    CRAWL_DRIVER: 'fake',
    // A quarter of the time of the default; tests log in thousands of times.
    PASSWORD_HASH_COST: '10',
    // Tests move the clock by hours; logging in again is not their subject.
    JWT_TOKEN_LIFETIME_MINUTES: '1000000',
    LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent',
    ...env,
  });
  const app = await createApp(config, { schedules, overrides, clock: realTime ? undefined : clock });
  await app.listen(0, '127.0.0.1');
  const baseUrl = (await app.getUrl()).replace('[::1]', '127.0.0.1');
  const connection = app.get<Connection>(getConnectionToken());
  const api = new ApiClient(baseUrl, new ResponseCheck(describedRoutes(app)));
  const login = async (email: string, password: string): Promise<ApiClient> => {
    const answer = await api.call('POST', '/auth/jwt/login', { form: { username: email, password } });
    if (answer.status !== 200)
      throw new Error(`login of ${email} answered ${answer.status} ${JSON.stringify(answer.body)}`);
    return api.as((answer.body as { access_token: string }).access_token);
  };
  let admin: Promise<ApiClient> | undefined;
  const stop = () => app.close();
  return {
    app,
    clock,
    dataDir,
    baseUrl,
    connection,
    api,
    login,
    admin: () => (admin ??= login(ADMIN.email, ADMIN.password)),
    defaultOrgId: async () => {
      const { body } = await (await (admin ??= login(ADMIN.email, ADMIN.password))).get('/orgs');
      const org = (body as { items: { id: string; default: boolean }[] }).items.find((item) => item.default);
      if (!org) throw new Error('no default org');
      return org.id;
    },
    stop,
    close: async () => {
      await connection.dropDatabase();
      await stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
