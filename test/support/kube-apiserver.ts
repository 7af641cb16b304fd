import { spawn, type ChildProcess } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CoreV1Api, KubeConfig, RbacAuthorizationV1Api, Watch } from '@kubernetes/client-node';
import { findKubeApiserver } from '../../scripts/provision/kube-apiserver.mjs';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';

const ADMIN_TOKEN = 'token-of-the-administrator';
const DRIVER_TOKEN = 'token-of-the-driver';
const DRIVER_USER = 'muniment';
const START_MS = 120_000;

/** What the driver needs in its namespace, and all that it gets; the chart's Role grants the same. */
export const DRIVER_RULES = [
  { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete'] },
  { apiGroups: [''], resources: ['configmaps'], verbs: ['list', 'create', 'patch', 'delete', 'deletecollection'] },
  { apiGroups: [''], resources: ['secrets'], verbs: ['create', 'patch', 'delete', 'deletecollection'] },
  {
    apiGroups: [''],
    resources: ['persistentvolumeclaims'],
    verbs: ['get', 'list', 'create', 'patch', 'deletecollection'],
  },
];

export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string };
}

const CLUSTER_KINDS = new Set(['Namespace', 'StorageClass']);

function pluralOf(kind: string): string {
  const name = kind.toLowerCase();
  if (name.endsWith('s')) return `${name}es`;
  return name.endsWith('y') ? `${name.slice(0, -1)}ies` : `${name}s`;
}

/** A real Kubernetes API server over an etcd of its own, on loopback; no scheduler, no kubelet, no controllers. */
export class KubeApiserver {
  private etcd: ChildProcess | null = null;
  private server: ChildProcess | null = null;
  private namespaces = 0;
  private readonly said: string[] = [];

  private constructor(
    private readonly programs: { kubeApiserver: string; etcd: string },
    private readonly folder: string,
    private readonly port: number,
    private readonly etcdPorts: { client: number; peer: number },
  ) {}

  /** Null, with a loud line, where it cannot be had. */
  static async start(): Promise<KubeApiserver | null> {
    const [kubeApiserver, etcd] = [process.env['MUNIMENT_TEST_KUBE_APISERVER'], process.env['MUNIMENT_TEST_ETCD']];
    const programs = kubeApiserver && etcd ? { kubeApiserver, etcd } : await findKubeApiserver();
    if (!programs) return null;
    const ports = { client: await freePort(), peer: await freePort() };
    const folder = await mkdtemp(join(tmpdir(), 'muniment-kube-'));
    const server = new KubeApiserver(programs, folder, await freePort(), ports);
    await server.prepare();
    await server.up();
    return server;
  }

  /** Of the driver's user, whom a role in each namespace gives what it needs and nothing else. */
  get kubeconfig(): string {
    return join(this.folder, 'kubeconfig.json');
  }

  /** May do everything. */
  admin(): { core: CoreV1Api; watch: Watch } {
    const config = this.config(ADMIN_TOKEN, 'admin');
    return { core: config.makeApiClient(CoreV1Api), watch: new Watch(config) };
  }

  /** A new namespace with the driver's role. */
  async namespace(): Promise<string> {
    this.namespaces += 1;
    const namespace = `crawlers-${String(this.namespaces)}`;
    const config = this.config(ADMIN_TOKEN, 'admin');
    await config.makeApiClient(CoreV1Api).createNamespace({ body: { metadata: { name: namespace } } });
    const rbac = config.makeApiClient(RbacAuthorizationV1Api);
    const metadata = { name: 'muniment' };
    await rbac.createNamespacedRole({ namespace, body: { metadata, rules: DRIVER_RULES } });
    await rbac.createNamespacedRoleBinding({
      namespace,
      body: {
        metadata,
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'muniment' },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: DRIVER_USER }],
      },
    });
    return namespace;
  }

  /**
   * Applies one manifest as `kubectl apply --server-side --validate=strict` does.
   * @returns the server's status code, and its message when that is not 200 or 201
   */
  async apply(manifest: Manifest, namespace: string): Promise<{ status: number; message: string }> {
    const { apiVersion, kind, metadata } = manifest;
    const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const place = CLUSTER_KINDS.has(kind) ? '' : `/namespaces/${metadata.namespace ?? namespace}`;
    const query = 'fieldManager=test&fieldValidation=Strict&force=true';
    const ca = await readFile(join(this.folder, 'certs', 'apiserver.crt'));
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/apply-patch+yaml' };
    const path = `${root}${place}/${pluralOf(kind)}/${metadata.name}?${query}`;
    return new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port: this.port, method: 'PATCH', path, ca, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('end', () => {
          const { message = '' } = JSON.parse(text) as { message?: string };
          resolve({ status: response.statusCode ?? 0, message });
        });
      });
      sent.on('error', reject);
      sent.end(JSON.stringify(manifest));
    });
  }

  get isUp(): boolean {
    return this.server !== null;
  }

  async up(): Promise<void> {
    this.server = this.run(this.programs.kubeApiserver, [
      '--etcd-servers',
      `http://127.0.0.1:${String(this.etcdPorts.client)}`,
      ...['--bind-address', '127.0.0.1', '--advertise-address', '127.0.0.1', '--secure-port', String(this.port)],
      ...['--cert-dir', join(this.folder, 'certs'), '--token-auth-file', join(this.folder, 'tokens.csv')],
      ...['--authorization-mode', 'RBAC', '--service-cluster-ip-range', '10.0.0.0/24'],
      ...['--service-account-issuer', 'https://kubernetes.default.svc'],
      ...['--service-account-key-file', join(this.folder, 'accounts.key')],
      ...['--service-account-signing-key-file', join(this.folder, 'accounts.key')],
      // Both wait for controllers that are not here.
      ...['--disable-admission-plugins', 'ServiceAccount,StorageObjectInUseProtection'],
      ...['--endpoint-reconciler-type', 'none'],
    ]);
    await eventually(() => this.ready(), START_MS, 200);
  }

  /** Ends the API server; etcd keeps what it knew. */
  async down(): Promise<void> {
    await end(this.server);
    this.server = null;
  }

  async stop(): Promise<void> {
    await this.down();
    await end(this.etcd);
    await rm(this.folder, { recursive: true, force: true, maxRetries: 10 });
  }

  // ---- details

  private async prepare(): Promise<void> {
    const { client, peer } = this.etcdPorts;
    const [clientUrl, peerUrl] = [`http://127.0.0.1:${String(client)}`, `http://127.0.0.1:${String(peer)}`];
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    await writeFile(join(this.folder, 'accounts.key'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
    await writeFile(
      join(this.folder, 'tokens.csv'),
      `${ADMIN_TOKEN},admin,1,"system:masters"\n${DRIVER_TOKEN},${DRIVER_USER},2\n`,
    );
    this.etcd = this.run(this.programs.etcd, [
      ...['--data-dir', join(this.folder, 'etcd'), '--listen-client-urls', clientUrl],
      ...['--advertise-client-urls', clientUrl, '--listen-peer-urls', peerUrl],
      ...['--initial-advertise-peer-urls', peerUrl, '--initial-cluster', `default=${peerUrl}`],
    ]);
    const config = this.config(DRIVER_TOKEN, DRIVER_USER);
    await writeFile(this.kubeconfig, config.exportConfig(), { mode: 0o600 });
  }

  private config(token: string, name: string): KubeConfig {
    const config = new KubeConfig();
    const server = `https://127.0.0.1:${String(this.port)}`;
    const caFile = join(this.folder, 'certs', 'apiserver.crt');
    config.loadFromClusterAndUser({ name: 'test', server, caFile, skipTLSVerify: false }, { name, token });
    return config;
  }

  private run(program: string, args: string[]): ChildProcess {
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    child.stderr.on('data', (text: Buffer) => {
      this.said.push(text.toString());
      if (this.said.length > 50) this.said.shift();
    });
    return child;
  }

  private async ready(): Promise<void> {
    if (this.server?.exitCode !== null) throw new Error(`kube-apiserver ended:\n${this.said.join('')}`);
    const ca = await readFile(join(this.folder, 'certs', 'apiserver.crt'));
    const status = await new Promise<number>((resolve, reject) => {
      const asked = request(
        {
          host: '127.0.0.1',
          port: this.port,
          path: '/readyz',
          ca,
          headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
        },
        (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        },
      );
      asked.on('error', reject);
      asked.end();
    });
    if (status !== 200) throw new Error(`kube-apiserver is not ready (${String(status)}):\n${this.said.join('')}`);
  }
}

async function end(child: ChildProcess | null): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}
