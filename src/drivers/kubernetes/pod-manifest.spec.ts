import type { InstancePlan } from '../containers/instance-plan.js';
import { instanceManifests } from './pod-manifest.js';

const SETTINGS = { storageSize: '25Gi', storageClass: '', priorityClass: '' };
const NAME = 'crawl-manual-20260101000000-0e138ad6-b8c-1';

function plan(changes: Partial<InstancePlan> = {}): InstancePlan {
  return {
    jobId: 'manual-20260101000000-0e138ad6-b8c',
    oid: 'b1c0ffee-0000-4000-8000-000000000000',
    kind: 'crawl',
    index: 1,
    name: NAME,
    image: 'webrecorder/browsertrix-crawler:1.14.1',
    imagePullPolicy: 'IfNotPresent',
    workers: 2,
    command: [
      ...['crawl', '--config', '/tmp/config/crawl-config.json', '--workers', '2'],
      ...['--redisStoreUrl', 'redis://:hush@redis:6379/0'],
    ],
    env: {
      CRAWL_ID: 'manual-20260101000000-0e138ad6-b8c',
      STORE_ACCESS_KEY: 'key',
      STORE_SECRET_KEY: 'whisper',
      WACZ_SIGN_TOKEN: 'murmur',
      WEBHOOK_URL: 'redis://:hush@redis:6379/0/done',
      STORE_FILENAME: '$(date)-@ts.wacz',
    },
    files: { '/tmp/config/crawl-config.json': '{"seeds":[]}' },
    cpuMillis: 1500,
    memoryBytes: 1792 * 1024 ** 2,
    persistent: true,
    ...changes,
  };
}

const made = (changes: Partial<InstancePlan> = {}, settings = {}) =>
  instanceManifests(plan(changes), `${NAME}-abcd`, { ...SETTINGS, ...settings });

describe('the pod of an instance', () => {
  it('has the name that the crawler knows itself by, and labels by which egress is limited', () => {
    const { pod } = made();
    expect(pod.metadata?.name).toBe(NAME);
    expect(pod.spec?.hostname).toBe(NAME);
    expect(pod.metadata?.labels).toMatchObject({
      crawl: 'manual-20260101000000-0e138ad6-b8c',
      role: 'crawler',
      'network-policy': 'limit-crawler-egress',
      'muniment.net/workers': '2',
    });
  });

  it('runs as the crawler, without rights, until it exits 0', () => {
    const { spec } = made().pod;
    expect(spec).toMatchObject({
      restartPolicy: 'OnFailure',
      terminationGracePeriodSeconds: 600,
      automountServiceAccountToken: false,
      tolerations: [{ key: 'nodeType', value: 'crawling' }],
      securityContext: { runAsUser: 201407, runAsGroup: 201407, seccompProfile: { type: 'RuntimeDefault' } },
    });
    expect(spec?.priorityClassName).toBeUndefined();
    expect(spec?.containers[0]).toMatchObject({
      resources: { requests: { cpu: '1500m', memory: '1879048192' }, limits: { memory: '1879048192' } },
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      },
      livenessProbe: { httpGet: { path: '/healthz', port: 6065 }, initialDelaySeconds: 15, periodSeconds: 120 },
    });
  });

  it('carries no secret: passwords come from its secret, by variables', () => {
    const { pod, config, secret } = made();
    const text = JSON.stringify([pod, config]);
    expect(text).not.toMatch(/hush|whisper|murmur/);
    expect(pod.spec?.containers[0]?.command?.slice(-2)).toEqual(['--redisStoreUrl', '$(REDIS_STORE_URL)']);
    expect(secret.stringData).toEqual({
      REDIS_STORE_URL: 'redis://:hush@redis:6379/0',
      STORE_ACCESS_KEY: 'key',
      STORE_SECRET_KEY: 'whisper',
      WACZ_SIGN_TOKEN: 'murmur',
      WEBHOOK_URL: 'redis://:hush@redis:6379/0/done',
    });
    expect(pod.spec?.containers[0]?.env).toContainEqual({
      name: 'REDIS_STORE_URL',
      valueFrom: { secretKeyRef: { name: `${NAME}-abcd`, key: 'REDIS_STORE_URL' } },
    });
  });

  it('gives values on as they are, whatever they look like', () => {
    const env = made().pod.spec?.containers[0]?.env ?? [];
    expect(env).toContainEqual({ name: 'STORE_FILENAME', value: '$$(date)-@ts.wacz' });
  });

  it('has its config from a config map, and scratch space that outlives it', () => {
    const { pod, config, claim } = made({}, { storageClass: 'fast' });
    expect(config.data).toEqual({ 'crawl-config.json': '{"seeds":[]}' });
    expect(claim).toMatchObject({
      metadata: { name: NAME },
      spec: { storageClassName: 'fast', resources: { requests: { storage: '25Gi' } } },
    });
    expect(pod.spec?.volumes).toContainEqual({ name: 'crawls', persistentVolumeClaim: { claimName: NAME } });
    expect(pod.spec?.containers[0]?.volumeMounts).toContainEqual({
      name: 'config',
      mountPath: '/tmp/config',
      readOnly: true,
    });
  });

  it('of a single page needs no volume', () => {
    const { pod, claim } = made({ persistent: false });
    expect(claim).toBeNull();
    expect(pod.spec?.volumes).toContainEqual({ name: 'crawls', emptyDir: {} });
  });

  it('of a quality check has its sources, which are presigned, from the secret', () => {
    const files = { '/tmp/config/crawl-config.json': '{}', '/tmp/qa/qa-config.json': '{"resources":[]}' };
    const { pod, config, secret } = made({ kind: 'qa', files }, { priorityClass: 'crawl-pri' });
    expect(config.data).toEqual({ 'crawl-config.json': '{}' });
    expect(secret.stringData?.['qa-config.json']).toBe('{"resources":[]}');
    expect(pod.spec?.containers[0]?.volumeMounts).toContainEqual({ name: 'qa', mountPath: '/tmp/qa', readOnly: true });
    expect(pod.spec?.priorityClassName).toBe('qa-crawl-pri-1');
  });

  const HOST_PROXIES = '/tmp/proxies/host-proxies.json';
  const proxied = (...options: string[]) =>
    made({
      command: ['crawl', '--proxyServer', 'ssh://u:hush@host', ...options, '--proxyServerConfig', HOST_PROXIES],
      files: { '/tmp/config/crawl-config.json': '{}', [HOST_PROXIES]: '{}' },
    });
  const mountsOf = ({ pod }: ReturnType<typeof made>): (string | undefined)[] =>
    (pod.spec?.containers[0]?.volumeMounts ?? []).map(({ mountPath }) => mountPath);

  it('finds the keys of an ssh proxy, and a name for its user', () => {
    const manifests = proxied('--sshProxyPrivateKeyFile', '/tmp/proxies/nl-private-key');
    expect(manifests.pod.spec?.containers[0]?.command?.[2]).toBe('$(PROXY_SERVER_URL)');
    expect(mountsOf(manifests)).toEqual(expect.arrayContaining(['/tmp/proxies', '/etc/passwd', '/etc/group']));
    expect(JSON.stringify(manifests.pod.spec?.volumes)).toContain('{"name":"proxies","optional":false}');
  });

  it('of a plain proxy needs nothing of the operator, and heeds what is there', () => {
    const manifests = proxied();
    expect(mountsOf(manifests)).not.toContain('/etc/passwd');
    expect(manifests.secret.stringData?.['host-proxies.json']).toBe('{}');
    expect(manifests.pod.spec?.volumes?.find(({ name }) => name === 'proxies')?.projected?.sources).toEqual([
      { secret: { name: `${NAME}-abcd`, items: [{ key: 'host-proxies.json', path: 'host-proxies.json' }] } },
      { secret: { name: 'proxies', optional: true } },
    ]);
  });

  it.each(['crawl-Manual-0', `crawl-${'x'.repeat(60)}-0`, 'crawl-a_b-0', 'crawl-x-'])('is not made as %s', (name) => {
    expect(() => made({ name })).toThrow(/no name that Kubernetes takes/);
  });
});
