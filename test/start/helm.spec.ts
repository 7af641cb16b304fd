import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { findHelm } from '../../scripts/provision/helm.mjs';
import { KubeApiserver, type Manifest as Applied } from '../support/kube-apiserver.js';
import { ROOT } from './load.js';

const run = promisify(execFile);
const CHART = path.join(ROOT, 'deploy', 'helm');
const EVERYTHING = [
  'mongo.bundled=true',
  's3.bundled=true',
  'ingress.enabled=true',
  'ingress.host=archive.example',
  'autoscaling.enabled=true',
  'serviceMonitor.enabled=true',
].flatMap((value) => ['--set', value]);

interface Manifest extends Applied {
  spec?: any;
  rules?: { resources: string[]; verbs: string[] }[];
}

// The YAML reader that @nestjs/swagger brings.
const require = createRequire(createRequire(import.meta.url).resolve('@nestjs/swagger'));
const yaml = require('js-yaml') as { loadAll: (text: string) => unknown[] };

const helm = await findHelm();

async function render(...args: string[]): Promise<Manifest[]> {
  const { stdout } = await run(helm!, ['template', 'm', CHART, '-n', 'muniment', '--kube-version', '1.34.0', ...args]);
  return yaml.loadAll(stdout).filter(Boolean) as Manifest[];
}

const cluster = helm ? await KubeApiserver.start() : null;
afterAll(() => cluster?.stop());

/** `findHelm` has said loudly why not. */
(helm ? describe : describe.skip)('the Helm chart', () => {
  it('passes helm lint', async () => {
    const { stdout } = await run(helm!, ['lint', CHART, '--strict']);
    expect(stdout).toContain('0 chart(s) failed');
  });

  it('makes no secret and has no password', async () => {
    const made = [...(await render()), ...(await render(...EVERYTHING))];
    expect(made.filter(({ kind }) => kind === 'Secret')).toEqual([]);
    const values = readFileSync(path.join(CHART, 'values.yaml'), 'utf8');
    expect(values).not.toMatch(/^\s*(password|\w*_(PASSWORD|SECRET|KEY)):\s*\S/m);
  });

  it('gives the API a role in the namespace of the crawlers, and nothing of the cluster', async () => {
    const made = await render(...EVERYTHING);
    expect(made.filter(({ kind }) => kind.startsWith('ClusterRole'))).toEqual([]);
    const [role] = made.filter(({ kind }) => kind === 'Role');
    expect(role?.metadata.namespace).toBe('crawlers');
    const onSecrets = role?.rules?.find(({ resources }) => resources.includes('secrets'))?.verbs;
    expect(onSecrets).not.toContain('get');
    expect(onSecrets).not.toContain('list');
  });

  it('runs everything without privileges, and with limits for what crawled pages can reach', async () => {
    const made = await render(...EVERYTHING);
    const [api] = made.filter(({ kind }) => kind === 'Deployment');
    expect(api?.spec.template.spec.securityContext.runAsNonRoot).toBe(true);
    expect(api?.spec.template.spec.containers[0].securityContext).toMatchObject({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
    });
    const egress = made.find(({ metadata }) => metadata.name === 'limit-crawler-egress');
    expect(egress?.spec.egress[0].to[0].ipBlock.except).toContain('10.0.0.0/8');
  });

  it('has Prometheus ask a port that the API listens on', async () => {
    const made = await render(...EVERYTHING);
    const monitor = made.find(({ kind }) => kind === 'ServiceMonitor')?.spec;
    const wanted = Object.entries(monitor.selector.matchLabels as Record<string, string>);
    const services = made.filter(({ kind, metadata }) => {
      const labels = (metadata as { labels?: Record<string, string> }).labels ?? {};
      return kind === 'Service' && wanted.every(([key, value]) => labels[key] === value);
    });
    const [{ port, path = '/metrics' }] = monitor.endpoints;
    const targets = services.flatMap(({ spec }) => spec.ports.filter((each: any) => each.name === port));
    expect(targets).toHaveLength(1);
    const [container] = made.find(({ kind }) => kind === 'Deployment')?.spec.template.spec.containers ?? [];
    const opened = container.ports.find(({ name }: any) => name === targets[0].targetPort)?.containerPort;
    const setting = container.env.find(({ name }: any) => name === 'METRICS_PORT')?.value;
    expect([String(opened), path]).toEqual([setting, '/metrics']);
  });

  it('leaves out the second API process only when told', async () => {
    const api = (all: Manifest[]): any => all.find(({ kind }) => kind === 'Deployment')?.spec;
    expect(api(await render()).replicas).toBe(2);
    expect(api(await render('--set', 'replicas=1')).replicas).toBe(1);
    // The autoscaler's number must not be set back by an upgrade.
    expect(api(await render('--set', 'autoscaling.enabled=true')).replicas).toBeUndefined();
  });

  (cluster ? it : it.skip)('is accepted whole by a Kubernetes API server that checks every field', async () => {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'muniment' } };
    const refused: string[] = [];
    // The Prometheus operator's kind is not among those of a plain cluster.
    const made = (await render(...EVERYTHING)).filter(({ kind }) => kind !== 'ServiceMonitor');
    for (const manifest of [namespace, ...made]) {
      const { status, message } = await cluster!.apply(manifest, 'muniment');
      if (status !== 200 && status !== 201) refused.push(`${manifest.kind} ${manifest.metadata.name}: ${message}`);
    }
    expect(refused).toEqual([]);
    expect(made.length).toBeGreaterThan(15);
  });

  it.each([
    ['an ingress without a host', ['--set', 'ingress.enabled=true']],
    ['no default channel', ['--set', 'crawler_channels[0].id=beta', '--set', 'crawler_channels[0].image=x']],
    ['no API process', ['--set', 'replicas=0']],
  ])('refuses %s', async (_name, args) => {
    await expect(render(...args)).rejects.toThrow(/specifications of the schema/);
  });
});
