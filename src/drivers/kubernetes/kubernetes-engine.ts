import type { Engine } from '../containers/container-drivers.js';
import { KubernetesRuntime, type RuntimeSettings } from './kubernetes-runtime.js';
import { KubernetesServices, type ServicesSettings } from './kubernetes-services.js';
import type { NamespaceClient } from './namespace-client.js';

export function kubernetesEngine(
  client: NamespaceClient,
  settings: RuntimeSettings & ServicesSettings,
  clock: { now(): Date },
): Engine {
  return {
    runtime: new KubernetesRuntime(client, settings, clock),
    services: new KubernetesServices(client, settings),
  };
}
