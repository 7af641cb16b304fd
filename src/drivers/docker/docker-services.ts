import type Docker from 'dockerode';
import {
  ServiceRuntime,
  type ServicePlan,
  type ServiceRole,
  type ServiceState,
} from '../containers/service-runtime.js';
import { addressOf, variablesOf, volumeMount, type DockerClient } from './docker-client.js';
import { JOB_LABEL, NANOS_PER_MILLI, type DockerSettings } from './docker-runtime.js';

const ROLE_LABEL = 'net.muniment.role';
const NAME_LABEL = 'net.muniment.service';
/** JSON. */
const NOTES_LABEL = 'net.muniment.notes';

/** Profile browsers and Redises of jobs as containers of one Docker engine. */
export class DockerServices extends ServiceRuntime {
  constructor(
    private readonly client: DockerClient,
    private readonly settings: DockerSettings,
  ) {
    super();
  }

  override async create(plan: ServicePlan): Promise<void> {
    await this.client.start(await this.client.create(plan, this.options(plan)));
  }

  override async find(name: string): Promise<ServiceState | null> {
    const info = await this.client.inspect(name);
    if (info?.Config.Labels[NAME_LABEL] === name) return this.stateOf(name, info);
    const [kept] = await this.client.volumesLabelled(`${NAME_LABEL}=${name}`);
    if (!kept) return null;
    return { name, phase: 'stopped', host: null, innerHost: null, createdAt: new Date(0), notes: notesOf(kept.Labels) };
  }

  override async list(role: ServiceRole): Promise<ServiceState[]> {
    const found = await this.client.labelled(`${ROLE_LABEL}=${role}`);
    const states = await Promise.all(
      found.map(async ({ Id, Labels }) => {
        const info = await this.client.inspect(Id);
        return info && this.stateOf(Labels[NAME_LABEL] ?? '', info);
      }),
    );
    return states.filter((state) => state !== null);
  }

  override async stop(name: string): Promise<void> {
    await this.client.remove(name);
  }

  override async remove(name: string): Promise<void> {
    await this.client.remove(name);
    for (const { Name } of await this.client.volumesLabelled(`${NAME_LABEL}=${name}`))
      await this.client.removeVolume(Name);
  }

  private stateOf(name: string, info: Docker.ContainerInspectInfo): ServiceState {
    const { State, Created, Config } = info;
    const isUp = State.Running && !State.Restarting;
    const host = isUp ? addressOf(info) : null;
    return {
      name,
      phase: isUp ? 'running' : State.Restarting || State.Status === 'created' ? 'waiting' : 'exited',
      host,
      // The engine's default network knows no names.
      innerHost: host && this.settings.network ? name : host,
      createdAt: new Date(Created),
      notes: notesOf(Config.Labels),
    };
  }

  private options({ name, role, jobId, image, command, env, cpuMillis, memoryBytes, ...plan }: ServicePlan) {
    const labels = {
      [ROLE_LABEL]: role,
      [NAME_LABEL]: name,
      [NOTES_LABEL]: JSON.stringify(plan.notes),
      ...(jobId ? { [JOB_LABEL]: jobId } : {}),
    };
    const options: Docker.ContainerCreateOptions = {
      name,
      Hostname: name,
      Image: image,
      Cmd: command,
      Env: variablesOf({ ...env, HOSTNAME: name }),
      Labels: labels,
      HostConfig: {
        RestartPolicy: { Name: plan.restarts ? 'unless-stopped' : 'no' },
        Init: true,
        NanoCpus: cpuMillis * NANOS_PER_MILLI,
        Memory: memoryBytes,
        ...(role === 'browser' ? { ShmSize: 1024 ** 3 } : {}),
        SecurityOpt: ['no-new-privileges'],
        ...(this.settings.network ? { NetworkMode: this.settings.network } : {}),
        ...(plan.data ? { Mounts: [volumeMount(name, plan.data.folder, labels)] } : {}),
      },
    };
    return options;
  }
}

const notesOf = (labels: Record<string, string> | undefined): Record<string, string> =>
  JSON.parse(labels?.[NOTES_LABEL] ?? '{}') as Record<string, string>;
