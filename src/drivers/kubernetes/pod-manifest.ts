import { basename, dirname } from 'node:path';
import type {
  V1ConfigMap,
  V1Container,
  V1EnvVar,
  V1ObjectMeta,
  V1PersistentVolumeClaim,
  V1Pod,
  V1Secret,
  V1Volume,
  V1VolumeMount,
} from '@kubernetes/client-node';
import {
  CRAWLER_USER,
  HEALTH_PORT,
  PROXIES_FOLDER,
  SCREENCAST_PORT,
  STOP_GRACE_SECONDS,
  type InstancePlan,
} from '../containers/instance-plan.js';
import type { PodManifests } from './pod-objects.js';
import { claimSpec, NO_RIGHTS, podSpec, resourcesOf } from './pod-parts.js';

export interface ManifestSettings {
  /** Size of a scratch volume, as Kubernetes writes it: `25Gi`. */
  readonly storageSize: string;
  /** Storage class of the volumes; empty: the cluster's default. */
  readonly storageClass: string;
  /** Beginning of the names of priority classes, `<beginning>-<i>` and `qa-<beginning>-<i>`; empty: there are none. */
  readonly priorityClass: string;
}

export const RUN_LABEL = 'muniment.net/job';
export const WORKERS_LABEL = 'muniment.net/workers';
export const CONTAINER = 'crawler';
/** Name of the config map's volume in the pod. It leads to config map and secret, which share their name. */
export const CONFIG_VOLUME = 'config';

const CONFIG_FOLDER = '/tmp/config';
/**
 * Name of the operator's secret. It has the files of proxies that are reached by ssh, and the list of hosts with a
 * proxy of their own.
 */
const PROXIES_SECRET = 'proxies';

const SECRET_ENV: ReadonlySet<string> = new Set([
  'STORE_ACCESS_KEY',
  'STORE_SECRET_KEY',
  'WACZ_SIGN_TOKEN',
  'WEBHOOK_URL',
]);
/** Options whose value may carry a password. The value is in the secret, and a variable passes it on. */
const SECRET_OPTIONS: ReadonlyMap<string, string> = new Map([
  ['--redisStoreUrl', 'REDIS_STORE_URL'],
  ['--redisDedupeUrl', 'REDIS_DEDUPE_URL'],
  ['--proxyServer', 'PROXY_SERVER_URL'],
]);

/**
 * The manifests of one instance of a run (crawling §14.2).
 * @throws when the run's id makes no name for the cluster
 */
export function instanceManifests(plan: InstancePlan, configName: string, settings: ManifestSettings) {
  if (!/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(plan.name))
    throw new Error(`${plan.name} is no name that Kubernetes takes`);
  const { args, env, secrets } = withoutSecrets(plan);
  const files = filesOf(plan);
  const metadata = (name: string): V1ObjectMeta => ({ name, labels: labelsOf(plan) });
  const secret: V1Secret = {
    metadata: metadata(configName),
    type: 'Opaque',
    stringData: { ...secrets, ...files.secret },
  };
  const manifests: PodManifests & { config: V1ConfigMap } = {
    pod: podOf(plan, settings, {
      configName,
      args,
      env,
      secrets,
      ...volumesOf(plan, configName),
    }),
    config: { metadata: metadata(configName), data: files.config },
    secret,
    claim: plan.persistent ? claimOf(plan, settings) : null,
  };
  return manifests;
}

interface PodParts {
  readonly configName: string;
  readonly args: string[];
  readonly env: Record<string, string>;
  readonly secrets: Record<string, string>;
  readonly volumes: V1Volume[];
  readonly mounts: V1VolumeMount[];
}

function podOf(plan: InstancePlan, { priorityClass }: ManifestSettings, parts: PodParts): V1Pod {
  const { name, index, kind } = plan;
  return {
    metadata: { name, labels: { ...labelsOf(plan), [WORKERS_LABEL]: String(plan.workers) } },
    spec: podSpec(CRAWLER_USER, {
      hostname: name,
      restartPolicy: 'OnFailure',
      terminationGracePeriodSeconds: STOP_GRACE_SECONDS,
      ...(priorityClass ? { priorityClassName: `${kind === 'qa' ? 'qa-' : ''}${priorityClass}-${String(index)}` } : {}),
      containers: [containerOf(plan, parts)],
      volumes: parts.volumes,
    }),
  };
}

function containerOf(plan: InstancePlan, { configName, args, env, secrets, mounts }: PodParts): V1Container {
  const { image, imagePullPolicy } = plan;
  return {
    name: CONTAINER,
    image,
    imagePullPolicy,
    // The image's entry point is for Docker: it changes users, which this pod may not do.
    command: args,
    env: variables(env, secrets, configName),
    ports: [{ name: 'screencast', containerPort: SCREENCAST_PORT, protocol: 'TCP' }],
    resources: resourcesOf(plan),
    securityContext: NO_RIGHTS,
    livenessProbe: {
      httpGet: { path: '/healthz', port: HEALTH_PORT },
      initialDelaySeconds: 15,
      periodSeconds: 120,
      failureThreshold: 3,
    },
    volumeMounts: mounts,
  };
}

function labelsOf({ jobId, oid, kind }: InstancePlan): Record<string, string> {
  return {
    crawl: jobId,
    oid,
    role: 'crawler',
    'job-type': kind,
    'network-policy': 'limit-crawler-egress',
    [RUN_LABEL]: jobId,
  };
}

function claimOf(plan: InstancePlan, { storageSize, storageClass }: ManifestSettings): V1PersistentVolumeClaim {
  return {
    metadata: { name: plan.name, labels: labelsOf(plan) },
    spec: claimSpec(storageSize, storageClass),
  };
}

/** Takes secret values out of command line and environment. Variables pass them on. */
export function withoutSecrets(plan: { command: string[]; env: Record<string, string> }) {
  const secrets: Record<string, string> = {};
  const args = plan.command.map((arg, i) => {
    const variable = SECRET_OPTIONS.get(plan.command[i - 1] ?? '');
    if (!variable) return literal(arg);
    secrets[variable] = arg;
    return `$(${variable})`;
  });
  const env: Record<string, string> = {};
  for (const [key, value] of Object.entries(plan.env)) (SECRET_ENV.has(key) ? secrets : env)[key] = value;
  return { args, env, secrets };
}

/** A container's environment. The values of `secrets` come from the secret of that name. */
export function variables(
  env: Record<string, string>,
  secrets: Record<string, string>,
  secretName: string,
): V1EnvVar[] {
  return [
    ...Object.keys(secrets).map((key) => ({ name: key, valueFrom: { secretKeyRef: { name: secretName, key } } })),
    ...Object.entries(env).map(([name, value]) => ({ name, value: literal(value) })),
  ];
}

/** Escapes text: the kubelet replaces `$(NAME)` by the variable, and `$$` stands for a `$`. */
const literal = (text: string): string => text.replaceAll('$(', '$$$$(');

/** The plan's files by name. Those of the config folder are for the config map, all others for the secret. */
export function filesOf({ files }: InstancePlan): { config: Record<string, string>; secret: Record<string, string> } {
  const config: Record<string, string> = {};
  const secret: Record<string, string> = {};
  for (const [path, content] of Object.entries(files))
    (dirname(path) === CONFIG_FOLDER ? config : secret)[basename(path)] = content;
  return { config, secret };
}

function volumesOf(plan: InstancePlan, configName: string): { volumes: V1Volume[]; mounts: V1VolumeMount[] } {
  const volumes: V1Volume[] = [
    { name: 'tmp', emptyDir: {} },
    plan.persistent
      ? { name: 'crawls', persistentVolumeClaim: { claimName: plan.name } }
      : { name: 'crawls', emptyDir: {} },
    { name: CONFIG_VOLUME, configMap: { name: configName } },
  ];
  const mounts: V1VolumeMount[] = [
    { name: 'tmp', mountPath: '/tmp' },
    { name: 'crawls', mountPath: '/crawls' },
    { name: CONFIG_VOLUME, mountPath: CONFIG_FOLDER, readOnly: true },
  ];
  for (const path of Object.keys(plan.files)) {
    const [folder, key] = [dirname(path), basename(path)];
    if (folder === CONFIG_FOLDER || folder === PROXIES_FOLDER) continue;
    const name = basename(folder);
    volumes.push({ name, secret: { secretName: configName, items: [{ key, path: key }] } });
    mounts.push({ name, mountPath: folder, readOnly: true });
  }
  const proxies = proxiesOf(plan, configName);
  return { volumes: [...volumes, ...proxies.volumes], mounts: [...mounts, ...proxies.mounts] };
}

/**
 * Volumes with the proxies' files. What the operator's secret has wins over the plan's files. It only has to have the
 * keys of ssh proxies.
 */
export function proxiesOf(
  { files, command }: Pick<InstancePlan, 'files' | 'command'>,
  configName = '',
): { volumes: V1Volume[]; mounts: V1VolumeMount[] } {
  const own = Object.keys(files).filter((path) => dirname(path) === PROXIES_FOLDER);
  const needsKeys = command.some((arg) => arg.startsWith('--sshProxy'));
  if (own.length === 0 && !needsKeys) return { volumes: [], mounts: [] };
  const items = own.map((path) => ({ key: basename(path), path: basename(path) }));
  const sources = [
    ...(own.length > 0 ? [{ secret: { name: configName, items } }] : []),
    { secret: { name: PROXIES_SECRET, optional: !needsKeys } },
  ];
  return {
    volumes: [{ name: 'proxies', projected: { sources, defaultMode: 0o440 } }],
    mounts: [
      { name: 'proxies', mountPath: PROXIES_FOLDER, readOnly: true },
      // ssh refuses to run for a user without a name.
      ...(needsKeys
        ? ['passwd', 'group'].map((name) => ({
            name: 'proxies',
            mountPath: `/etc/${name}`,
            subPath: name,
            readOnly: true,
          }))
        : []),
    ],
  };
}
