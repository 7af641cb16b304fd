import type { V1ObjectMeta, V1Pod } from '@kubernetes/client-node';
import {
  ServiceRuntime,
  type ServicePlan,
  type ServiceRole,
  type ServiceState,
} from '../containers/service-runtime.js';
import type { NamespaceClient } from './namespace-client.js';
import { hostOf, innerHostOf } from './pod-state.js';
import { NOTES_ANNOTATION, SERVICE_LABEL, serviceManifests } from './service-manifest.js';

export interface ServicesSettings {
  /** Storage class of the volumes; empty for the cluster's default. */
  readonly storageClass: string;
  /** End of the host names of pods, e.g. `.crawlers.svc.cluster.local`. */
  readonly fqdnSuffix: string;
}

/** Profile browsers and Redises of runs as pods of one namespace. */
export class KubernetesServices extends ServiceRuntime {
  constructor(
    private readonly client: NamespaceClient,
    private readonly settings: ServicesSettings,
  ) {
    super();
  }

  override async create(plan: ServicePlan): Promise<void> {
    await this.client.create(plan.name, (name) => serviceManifests(plan, name, this.settings.storageClass));
  }

  override async find(name: string): Promise<ServiceState | null> {
    const labelSelector = `${SERVICE_LABEL}=${name}`;
    const [pod] = await this.client.pods(labelSelector);
    if (pod) return this.stateOf(pod);
    const claims = await this.client.asked(({ core }) =>
      core.listNamespacedPersistentVolumeClaim({ ...this.client.at, labelSelector }),
    );
    const [claim] = claims.items.filter(({ metadata }) => !metadata?.deletionTimestamp);
    return claim ? { ...aboutOf(claim.metadata), phase: 'stopped', host: null, innerHost: null } : null;
  }

  override async list(role: ServiceRole): Promise<ServiceState[]> {
    return (await this.client.pods(`${SERVICE_LABEL},role=${role}`)).map((pod) => this.stateOf(pod));
  }

  override async stop(name: string): Promise<void> {
    for (const pod of await this.client.pods(`${SERVICE_LABEL}=${name}`)) await this.client.deletePod(pod, 1);
  }

  override async remove(name: string): Promise<void> {
    await this.stop(name);
    await this.client.deleteBelongings(`${SERVICE_LABEL}=${name}`);
  }

  private stateOf(pod: V1Pod): ServiceState {
    const phase = phaseOf(pod);
    const hosts =
      phase === 'running'
        ? { host: hostOf(pod), innerHost: innerHostOf(pod, this.settings.fqdnSuffix) }
        : { host: null, innerHost: null };
    return { ...aboutOf(pod.metadata), phase, ...hosts };
  }
}

function phaseOf({ metadata, status }: V1Pod): ServiceState['phase'] {
  if (metadata?.deletionTimestamp || status?.phase === 'Succeeded' || status?.phase === 'Failed') return 'exited';
  return status?.containerStatuses?.[0]?.state?.running ? 'running' : 'waiting';
}

function aboutOf(metadata: V1ObjectMeta | undefined): Pick<ServiceState, 'name' | 'createdAt' | 'notes'> {
  return {
    name: metadata?.labels?.[SERVICE_LABEL] ?? '',
    createdAt: new Date(metadata?.creationTimestamp ?? 0),
    notes: JSON.parse(metadata?.annotations?.[NOTES_ANNOTATION] ?? '{}') as Record<string, string>,
  };
}
