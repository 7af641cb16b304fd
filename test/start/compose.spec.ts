import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import {
  HEALTH_PORT,
  instancePlans,
  SCREENCAST_PORT,
  CRAWLER_USER,
  type InstancePlan,
} from '../../src/drivers/containers/instance-plan.js';
import { aCrawlJobSpec, CRAWLER } from '../support/crawl-job-spec.js';
import { ROOT } from './load.js';

const run = promisify(execFile);
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

interface Service {
  image?: string;
  build?: string | { target?: string };
  healthcheck?: { test?: string[]; disable?: boolean };
  environment?: Record<string, string>;
  volumes?: string[];
  configs?: { source: string; target: string }[];
  ports?: string[];
  depends_on?: Record<string, { condition: string }>;
  restart?: string;
}
interface Compose {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
  configs: Record<string, { content: string }>;
}

// The YAML reader that @nestjs/swagger brings.
const require = createRequire(createRequire(import.meta.url).resolve('@nestjs/swagger'));
const yaml = require('js-yaml') as { load: (text: string) => unknown };
const text = read('docker-compose.yml');
const compose = yaml.load(text) as Compose;
const services = Object.entries(compose.services);
const own = yaml.load(read('docker-compose.containers.yml')) as Compose;

/** Keys of a service in the Compose Specification that this file has a use for; anything else is a slip of the pen. */
const SERVICE_KEYS = new Set(
  `build cap_drop command configs depends_on entrypoint environment healthcheck image init ports restart security_opt
   read_only shm_size stop_grace_period tmpfs volumes`.split(/\s+/),
);

/** What is filled in by hand: names of variables that must not have a default. */
const SECRETS = /(SECRET|PASSWORD|KEY|USERNAME|EMAIL)$/;

describe('docker-compose.yml', () => {
  it('is accepted by docker compose, where that is installed', async () => {
    expect(await saidOf('docker-compose.yml')).toBe('');
  });

  it('uses only keys of the Compose Specification', () => {
    expect(Object.keys(compose).sort()).toEqual(['configs', 'name', 'services', 'volumes']);
    const unknown = services.flatMap(([name, service]) =>
      Object.keys(service).flatMap((key) => (SERVICE_KEYS.has(key) ? [] : [`${name}.${key}`])),
    );
    expect(unknown).toEqual([]);
  });

  it('has no default for a secret', () => {
    const withDefault = variables().filter(({ name, rest }) => SECRETS.test(name) && !rest.startsWith(':?'));
    expect(withDefault).toEqual([]);
    expect(required().length).toBeGreaterThanOrEqual(8);
  });

  it('gives no secret in the clear', () => {
    const clear = services.flatMap(([name, { environment = {} }]) =>
      Object.entries(environment)
        .filter(([key, value]) => SECRETS.test(key) && !/^\$\{/.test(value))
        .map(([key]) => `${name}: ${key}`),
    );
    expect(clear).toEqual([]);
  });

  it('lists every variable in .env.example, the secret ones empty', () => {
    const example = Object.fromEntries(
      read('.env.example')
        .split('\n')
        .filter((line) => /^[A-Z]/.test(line))
        .map((line) => line.split('=', 2) as [string, string]),
    );
    expect(Object.keys(example).sort()).toEqual([...new Set(variables().map(({ name }) => name))].sort());
    expect(required().filter((name) => example[name] !== '')).toEqual([]);
  });

  it('checks the health of every service that stays up', () => {
    const dockerfile = /^HEALTHCHECK /m.test(read('Dockerfile'));
    const without = services.filter(
      ([, { restart, healthcheck, build }]) => restart !== 'no' && !healthcheck?.test && !(build && dockerfile),
    );
    expect(without.map(([name]) => name)).toEqual([]);
  });

  it('waits for what it needs to be healthy, not only started', () => {
    for (const [, { depends_on = {} }] of services) {
      for (const [name, { condition }] of Object.entries(depends_on)) {
        expect(compose.services).toHaveProperty(name);
        const ends = compose.services[name]?.restart === 'no';
        expect(condition).toBe(ends ? 'service_completed_successfully' : 'service_healthy');
      }
    }
  });

  it('keeps data in declared volumes, and declares none without use', () => {
    const used = services.flatMap(([, { volumes = [] }]) => volumes.map((volume) => volume.split(':')[0]));
    expect([...new Set(used)].sort()).toEqual(Object.keys(compose.volumes).sort());
  });

  it('opens its ports to this machine only, unless told otherwise', () => {
    const ports = services.flatMap(([, service]) => service.ports ?? []);
    expect(ports).toHaveLength(3);
    for (const port of ports) expect(port).toMatch(/^\$\{[A-Z0-9_]+:-127\.0\.0\.1:\d+\}:\d+$/);
  });

  it('hands the API a storages file that it can read', () => {
    const content = compose.configs.storages?.content.replace(/\$\{[A-Z0-9_]+(:-([^}]*)|:\?[^}]*)?\}/g, '$2') ?? '';
    const [storage] = JSON.parse(content) as Record<string, unknown>[];
    expect(storage).toMatchObject({
      type: 's3',
      endpoint_url: 'http://s3:7070/',
      access_endpoint_url: 'http://localhost:7070/muniment/',
      is_default_primary: true,
    });
    const target = compose.services.api?.configs?.find(({ source }) => source === 'storages')?.target;
    expect(compose.services.api?.environment?.STORAGES_JSON).toBe(target);
  });

  it('lets the proxies in front be counted, which it asks for', () => {
    expect(compose.services.api?.environment).toHaveProperty('TRUSTED_PROXY_HOPS');
  });
});

describe('docker-compose.containers.yml', () => {
  const networks = (name: string): string[] =>
    (own.services[name] as { networks?: string[] } | undefined)?.networks ?? ['default'];

  it('is accepted by docker compose, where that is installed', async () => {
    expect(await saidOf('docker-compose.yml', 'docker-compose.containers.yml')).toBe('');
  });

  it('keeps crawlers away from the database and the Docker socket', () => {
    const reachable = Object.keys({ ...compose.services, ...own.services }).filter((name) =>
      networks(name).includes('crawls'),
    );
    expect(reachable.sort()).toEqual(['api', 'crawl-redis', 's3']);
    const withSocket = Object.entries(own.services).filter(([, { volumes = [] }]) =>
      volumes.some((volume) => volume.includes('docker.sock')),
    );
    expect(withSocket.map(([name]) => name)).toEqual(['docker-proxy']);
  });

  it('sets what the docker driver needs', () => {
    expect(own.services['api']?.environment).toMatchObject({
      CRAWL_DRIVER: 'docker',
      CRAWL_REDIS_URL: 'redis://crawl-redis:6379/0',
      CRAWLER_NETWORK: 'muniment_crawls',
    });
    expect(own.services['api']?.environment?.['DOCKER_HOST']).toMatch(/^tcp:\/\/docker-proxy:/);
  });
});

describe('the images', () => {
  const dockerfile = read('Dockerfile');
  /** Text of each stage by its name, in their order; what a stage is made from is part of it. */
  const stages = new Map(
    dockerfile
      .split(/^(?=FROM )/m)
      .slice(1)
      .map((stage) => [/ AS (\w+)$/m.exec(stage)?.[1] ?? '', stage]),
  );
  const crawler = stages.get('crawler') ?? '';

  it('run as users without privileges', () => {
    const users = [...stages].map(([name, stage]) => [name, /^USER (.+)$/m.exec(stage)?.[1]]);
    expect(users).toEqual([
      ['build', undefined],
      ['apimodules', undefined],
      ['crawlermodules', undefined],
      ['runtime', undefined],
      ['crawler', 'crawler'],
      ['api', 'muniment'],
    ]);
  });

  it('are the API, unless the crawler is asked for', () => {
    expect([...stages.keys()].at(-1)).toBe('api');
    expect(own.services['crawler-image']).toMatchObject({ build: { target: 'crawler' }, profiles: ['build'] });
  });

  it('copy only what the build leaves or the checkout has', () => {
    for (const stage of stages.values()) {
      const sources = [...stage.matchAll(/^COPY (?!--from)(?:--\S+ )*(.+) \S+$/gm)].flatMap(([, list = '']) =>
        list.split(' '),
      );
      for (const source of sources) expect([source, existsSync(path.join(ROOT, source))]).toEqual([source, true]);
    }
  });

  it('give the crawler what the drivers know of the official image', () => {
    expect(crawler).toContain(`useradd --uid ${String(CRAWLER_USER)} `);
    const modes = (/for mode in ([\w -]+); do/.exec(crawler)?.[1] ?? '').split(' ');
    const plans = (['crawl', 'qa'] as const).map((kind) => aPlan(kind));
    // Pods name the command, containers its arguments; either way it is found on the PATH.
    expect(modes).toEqual(expect.arrayContaining([...plans.map(({ command }) => command[0]), 'create-login-profile']));
    expect(crawler).toContain('/usr/local/bin/$mode');
    const program = /node \/app\/dist\/(\S+)\.js/.exec(crawler)?.[1] ?? '';
    expect(existsSync(path.join(ROOT, `${program}.ts`))).toBe(true);
    expect(stages.get('runtime')).toMatch(/install [^&]*\bcurl\b/);
    expect(crawler).toContain(`EXPOSE ${String(HEALTH_PORT)} ${String(SCREENCAST_PORT)}`);
    for (const { env } of plans) expect(env['HOME']).toBe(/HOME=(\S+)/.exec(crawler)?.[1]);
  });

  it('is built without the secrets and data of the checkout', () => {
    const ignored = read('.dockerignore').split('\n');
    expect(ignored).toEqual(expect.arrayContaining(['.git', '.env', 'data', 'node_modules']));
  });
});

function variables(): { name: string; rest: string }[] {
  return [...text.matchAll(/(?<!\$)\$\{([A-Z0-9_]+)([^}]*)\}/g)].map(([, name = '', rest = '']) => ({ name, rest }));
}

/** What docker compose says against the files together; where it is not installed nothing, which is told. */
async function saidOf(...files: string[]): Promise<string> {
  const env = { ...process.env, ...Object.fromEntries(required().map((name) => [name, 'x'])) };
  try {
    await run('docker', ['compose', 'version'], { env });
  } catch {
    process.stderr.write('SKIPPED: docker compose is not installed; the structure is checked below.\n');
    return '';
  }
  const named = files.flatMap((file) => ['-f', path.join(ROOT, file)]);
  return (await run('docker', ['compose', ...named, 'config', '-q'], { env })).stdout;
}

function required(): string[] {
  return [...new Set(variables().flatMap(({ name, rest }) => (rest.startsWith(':?') ? [name] : [])))];
}

function aPlan(kind: 'crawl' | 'qa'): InstancePlan {
  const spec = aCrawlJobSpec({ kind });
  const s3 = { endpointUrl: 'https://s3.example/bucket/', accessKey: 'key', secretKey: 'secret', region: 'us-east-1' };
  const settings = { redisUrl: 'redis://redis.example:6379/0', crawler: CRAWLER };
  return instancePlans({ ...spec, storage: { ...spec.storage, s3 } }, 1, settings)[0]!;
}
