import type { Engine } from '../containers/container-drivers.js';
import type { DockerSettings } from './container-options.js';
import { DockerClient } from './docker-client.js';
import { DockerRuntime } from './docker-runtime.js';
import { DockerServices } from './docker-services.js';

/** @param address as for `DockerClient` */
export function dockerEngine(address: string, settings: DockerSettings): Engine {
  const client = new DockerClient(address);
  return { runtime: new DockerRuntime(client, settings), services: new DockerServices(client, settings) };
}
