import type Docker from 'dockerode';
import {
  ServiceRuntime,
  type ServicePlan,
  type ServiceRole,
  type ServiceState,
} from '../containers/service-runtime.js';
import { containerOptions, RUN_LABEL, type DockerSettings } from './container-options.js';
import { addressOf, type DockerClient } from './docker-client.js';

const ROLE_LABEL = 'net.muniment.role';
const NAME_LABEL = 'net.muniment.service';
/** Label with the notes of a service, as JSON. */
const NOTES_LABEL = 'net.muniment.notes';

/** Profile browsers and Redises of runs, as containers of one Docker engine. */
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
      // The engine's default network does not resolve names.
      innerHost: host && this.settings.network ? name : host,
      createdAt: new Date(Created),
      notes: notesOf(Config.Labels),
    };
  }

  private options(plan: ServicePlan): Docker.ContainerCreateOptions {
    const { name, role, jobId, notes, restarts, data } = plan;
    const labels = {
      [ROLE_LABEL]: role,
      [NAME_LABEL]: name,
      [NOTES_LABEL]: JSON.stringify(notes),
      ...(jobId ? { [RUN_LABEL]: jobId } : {}),
    };
    const restart = restarts ? 'unless-stopped' : 'no';
    return containerOptions(
      plan,
      { labels, restart, hasBrowser: role === 'browser', keeps: data?.folder },
      this.settings,
    );
  }
}

const notesOf = (labels: Record<string, string> | undefined): Record<string, string> =>
  JSON.parse(labels?.[NOTES_LABEL] ?? '{}') as Record<string, string>;
