/** What a container beside the crawlers is for: a profile browser, or the Redis of one run. */
export type ServiceRole = 'browser' | 'redis';

/** A container beside the crawlers: what both container drivers create. */
export interface ServicePlan {
  readonly role: ServiceRole;
  /** Name and host name. */
  readonly name: string;
  /** The run that it goes with when that is removed. */
  readonly jobId?: string;
  readonly image: string;
  readonly imagePullPolicy: string;
  readonly command: string[];
  readonly env: Record<string, string>;
  /** Thousandths of a core. */
  readonly cpuMillis: number;
  readonly memoryBytes: number;
  /** User and group that it runs as where the engine asks for one. */
  readonly user: number;
  readonly ports: Record<string, number>;
  /** Folder that outlives the container, until the service is removed, and its size as Kubernetes writes it. */
  readonly data?: { folder: string; size: string };
  /** Whether the engine starts it again when it ended; else it is over then. */
  readonly restarts: boolean;
  /** Given back by `find` and `list`. No secrets. */
  readonly notes: Record<string, string>;
}

/** `stopped`: there is only what it kept. */
export type ServicePhase = 'waiting' | 'running' | 'exited' | 'stopped';

export interface ServiceState {
  readonly name: string;
  readonly phase: ServicePhase;
  /** Where it can be reached while it runs: a host, in brackets where needed. */
  readonly host: string | null;
  /** The same for containers beside it: a name that it keeps when it is made again, where the engine gives one. */
  readonly innerHost: string | null;
  readonly createdAt: Date;
  readonly notes: Record<string, string>;
}

/** An engine that runs services. Every verb is idempotent. @throws EngineUnavailable */
export abstract class ServiceRuntime {
  /** Creates and starts it, on what an earlier one of its name kept. */
  abstract create(plan: ServicePlan): Promise<void>;

  /** Null when nothing of it is there. */
  abstract find(name: string): Promise<ServiceState | null>;

  /** Services of a role that have a container. */
  abstract list(role: ServiceRole): Promise<ServiceState[]>;

  /** Ends the container; what it kept stays. */
  abstract stop(name: string): Promise<void>;

  /** Ends the container and removes what it kept. */
  abstract remove(name: string): Promise<void>;
}
