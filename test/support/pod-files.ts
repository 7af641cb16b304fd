import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { CoreV1Api, V1KeyToPath, V1Container, V1Pod, V1Volume } from '@kubernetes/client-node';

/** The only container of a pod as a process: its command line and environment. */
export interface PreparedPod {
  args: string[];
  env: Record<string, string>;
}

/**
 * Volumes and variables, as the pod's manifest asks for them: files below `folders.pod`, claims below
 * `folders.volumes`. Paths in the command line that begin with /tmp lead there; of /crawls CRAWLS_DIR tells.
 * @throws what a kubelet calls CreateContainerConfigError
 */
export async function preparePod(
  core: CoreV1Api,
  { metadata, spec }: V1Pod,
  folders: { pod: string; volumes: string },
): Promise<PreparedPod> {
  const [container] = spec?.containers ?? [];
  if (!container) throw new Error('a pod without containers');
  const source = new Source(core, metadata?.namespace ?? '');
  let crawls = join(folders.pod, 'crawls');
  for (const volume of spec?.volumes ?? []) {
    const claim = volume.persistentVolumeClaim?.claimName;
    if (claim) {
      await source.claim(claim);
      crawls = join(folders.volumes, claim);
      continue;
    }
    const mount = container.volumeMounts?.find(({ name }) => name === volume.name);
    await place(join(folders.pod, mount?.mountPath ?? ''), await filesOf(volume, source));
  }
  await mkdir(crawls, { recursive: true });
  const env = await environment(container, source);
  const inside = (text: string): string => expand(text, env).replace(/^\/tmp\//, `${folders.pod}/tmp/`);
  return { args: (container.command ?? []).map(inside), env: { ...env, CRAWLS_DIR: crawls } };
}

/** What pods of a namespace take their files and variables from. */
class Source {
  constructor(
    private readonly core: CoreV1Api,
    private readonly namespace: string,
  ) {}

  async claim(name: string): Promise<void> {
    await this.core.readNamespacedPersistentVolumeClaim({ namespace: this.namespace, name });
  }

  async configMap(name: string): Promise<Record<string, string>> {
    return (await this.core.readNamespacedConfigMap({ namespace: this.namespace, name })).data ?? {};
  }

  async secret(name: string): Promise<Record<string, string>> {
    const { data } = await this.core.readNamespacedSecret({ namespace: this.namespace, name });
    return Object.fromEntries(
      Object.entries(data ?? {}).map(([key, value]) => [key, Buffer.from(value, 'base64').toString('utf8')]),
    );
  }
}

async function filesOf({ configMap, secret, projected }: V1Volume, source: Source): Promise<Record<string, string>> {
  if (configMap?.name) return source.configMap(configMap.name);
  if (secret?.secretName) return picked(await source.secret(secret.secretName), secret.items);
  const files: Record<string, string> = {};
  for (const { secret: part } of projected?.sources ?? []) {
    if (!part?.name) continue;
    const found = await source.secret(part.name).catch((error: Error) => {
      if (part.optional) return {};
      throw error;
    });
    Object.assign(files, picked(found, part.items));
  }
  return files;
}

function picked(all: Record<string, string>, items: V1KeyToPath[] | undefined): Record<string, string> {
  if (!items) return all;
  return Object.fromEntries(items.map(({ key, path }) => [path, all[key] ?? '']));
}

async function environment({ env = [] }: V1Container, source: Source): Promise<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const { name, value, valueFrom } of env) {
    const from = valueFrom?.secretKeyRef;
    if (!from) values[name] = expand(value ?? '', values);
    else {
      const found = (await source.secret(from.name ?? ''))[from.key];
      if (found === undefined) throw new Error(`couldn't find key ${from.key} in Secret ${from.name ?? ''}`);
      values[name] = found;
    }
  }
  return values;
}

/** `$(NAME)` as the kubelet reads it: `$$` stands for `$`, unknown names stay as they are. */
function expand(text: string, env: Record<string, string>): string {
  return text.replace(/\$\$|\$\((\w+)\)/g, (found, name: string | undefined) =>
    found === '$$' ? '$' : (env[name ?? ''] ?? found),
  );
}

async function place(folder: string, files: Record<string, string>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
}
