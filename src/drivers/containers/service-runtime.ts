/** The role of a container beside the crawlers: a profile browser, or the Redis of one run. */
export type ServiceRole = 'browser' | 'redis';

/** A container beside the crawlers. Both container drivers create it from this plan. */
export interface ServicePlan {
  readonly role: ServiceRole;
  /** Name of the container, and its host name. */
  readonly name: string;
  /** The run that the container belongs to; removing the run removes it. */
  readonly jobId?: string;
  readonly image: string;
  readonly imagePullPolicy: string;
  readonly command: string[];
  readonly env: Record<string, string>;
  /** CPU in thousandths of a core. */
  readonly cpuMillis: number;
  readonly memoryBytes: number;
  /** User and group of the container, where the engine asks for them. */
  readonly user: number;
  readonly ports: Record<string, number>;
  /** Folder that outlives the container until the service is removed, and its size as Kubernetes writes it. */
  readonly data?: { folder: string; size: string };
  /** Whether the engine restarts the container when it ends. Otherwise its end is the service's end. */
  readonly restarts: boolean;
  /** Notes that `find` and `list` return. They must hold no secrets. */
  readonly notes: Record<string, string>;
}

/** `stopped`: there is no container, only the data that it kept. */
export type ServicePhase = 'waiting' | 'running' | 'exited' | 'stopped';

export interface ServiceState {
  readonly name: string;
  readonly phase: ServicePhase;
  /** Host that reaches the service while it runs; an IPv6 address is in brackets. */
  readonly host: string | null;
  /**
   * Host for containers beside it. Where the engine gives one, it is a name that stays when the container is made
   * again.
   */
  readonly innerHost: string | null;
  readonly createdAt: Date;
  readonly notes: Record<string, string>;
}

/** An engine that runs services. Every verb is idempotent. @throws EngineUnavailable */
export abstract class ServiceRuntime {
  /** Creates and starts a service, with the data that an earlier one of its name kept. */
  abstract create(plan: ServicePlan): Promise<void>;

  /** The state of a service. Null when neither a container nor data is there. */
  abstract find(name: string): Promise<ServiceState | null>;

  /** Services of a role that have a container. */
  abstract list(role: ServiceRole): Promise<ServiceState[]>;

  /** Ends the container. The data that it kept stays. */
  abstract stop(name: string): Promise<void>;

  /** Ends the container and removes the data that it kept. */
  abstract remove(name: string): Promise<void>;
}
