import type Docker from 'dockerode';

export interface DockerSettings {
  /** Network from which the containers reach Redis, the object store and the web; empty: the engine's default. */
  readonly network: string;
}

/** Label that names the run of a container or volume. */
export const RUN_LABEL = 'net.muniment.job';

/** The kernel's usual period for limits of CPU, in microseconds. */
const CPU_PERIOD_MICROS = 100_000;
/** Shared memory for Chromium, in bytes. With the engine's default of 64 MiB, pages crash. */
const BROWSER_SHM_BYTES = 1024 ** 3;

/** What the plans of crawlers and services have in common. */
interface ContainerPlan {
  readonly name: string;
  readonly image: string;
  readonly command: string[];
  readonly env: Record<string, string>;
  readonly cpuMillis: number;
  readonly memoryBytes: number;
}

/** What differs between containers. */
interface ContainerNeeds {
  readonly labels: Record<string, string>;
  readonly restart: 'on-failure' | 'unless-stopped' | 'no';
  readonly hasBrowser: boolean;
  /** Folder of a volume that has the container's name and outlives the container. */
  readonly keeps?: string | undefined;
}

/** Options of a container: it has a name, gets no further rights, and reaps the processes that others leave behind. */
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
      // Not NanoCpus: the engine refuses more of these than the machine has cores, and many windows are planned with more.
      CpuPeriod: CPU_PERIOD_MICROS,
      CpuQuota: (cpuMillis * CPU_PERIOD_MICROS) / 1000,
      Memory: memoryBytes,
      ...(hasBrowser ? { ShmSize: BROWSER_SHM_BYTES } : {}),
      SecurityOpt: ['no-new-privileges'],
      ...(network ? { NetworkMode: network } : {}),
      ...(keeps ? { Mounts: [volumeMount(name, keeps, labels)] } : {}),
    },
  };
}

/** Mounts a volume of that name. It is made with the container when it is not there. */
function volumeMount(name: string, folder: string, labels: Record<string, string>): Docker.MountSettings {
  const options: Docker.MountSettings['VolumeOptions'] = {
    NoCopy: false,
    Labels: labels,
    DriverConfig: { Name: 'local', Options: {} },
  };
  return { Type: 'volume', Source: name, Target: folder, VolumeOptions: options };
}
