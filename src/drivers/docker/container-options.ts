import type Docker from 'dockerode';

export interface DockerSettings {
  /** Network from which the containers reach Redis, the object store and the web; empty: the engine's default. */
  readonly network: string;
}

/** Label: the run that a container or volume belongs to. */
export const RUN_LABEL = 'net.muniment.job';

const NANOS_PER_MILLI = 1e6;
/** Size for Chromium. The engine's default of 64 MiB ends pages. */
const BROWSER_SHM_BYTES = 1024 ** 3;

/** What crawlers and services have in common. */
interface ContainerPlan {
  readonly name: string;
  readonly image: string;
  readonly command: string[];
  readonly env: Record<string, string>;
  readonly cpuMillis: number;
  readonly memoryBytes: number;
}

/** Where a container differs from the others. */
interface ContainerNeeds {
  readonly labels: Record<string, string>;
  readonly restart: 'on-failure' | 'unless-stopped' | 'no';
  readonly hasBrowser: boolean;
  /** Folder of a volume that has the container's name and outlives it. */
  readonly keeps?: string | undefined;
}

/** A container that is known by its name, gets no further rights, and reaps what its processes leave behind. */
export function containerOptions(
  { name, image, command, env, cpuMillis, memoryBytes }: ContainerPlan,
  { labels, restart, hasBrowser, keeps }: ContainerNeeds,
  { network }: DockerSettings,
): Docker.ContainerCreateOptions {
  return {
    name,
    Hostname: name,
    Image: image,
    Cmd: command,
    Env: Object.entries({ ...env, HOSTNAME: name }).map(([key, value]) => `${key}=${value}`),
    Labels: labels,
    HostConfig: {
      RestartPolicy: { Name: restart },
      Init: true,
      NanoCpus: cpuMillis * NANOS_PER_MILLI,
      Memory: memoryBytes,
      ...(hasBrowser ? { ShmSize: BROWSER_SHM_BYTES } : {}),
      SecurityOpt: ['no-new-privileges'],
      ...(network ? { NetworkMode: network } : {}),
      ...(keeps ? { Mounts: [volumeMount(name, keeps, labels)] } : {}),
    },
  };
}

/** A volume of that name, made with the container when it is not there. */
function volumeMount(name: string, folder: string, labels: Record<string, string>): Docker.MountSettings {
  const options: Docker.MountSettings['VolumeOptions'] = {
    NoCopy: false,
    Labels: labels,
    DriverConfig: { Name: 'local', Options: {} },
  };
  return { Type: 'volume', Source: name, Target: folder, VolumeOptions: options };
}
