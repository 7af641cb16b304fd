import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { IndexSync } from './index-sync.js';
import { ReplicaSetCheck, SchemaVersionCheck } from './schema-version.js';

export interface StartupStep {
  readonly name: string;
  /** Steps run in ascending order: 100 accounts, 200 storage checks, 300 workers that pick up left-over work. */
  readonly order: number;
  /** Idempotent, and safe when several processes run it at once. */
  run(): Promise<void>;
}

/** Rooms register what has to happen before the first request; `ready` is what `/healthzStartup` answers from. */
@Injectable()
export class Startup implements OnApplicationBootstrap {
  private readonly steps: StartupStep[] = [];
  private readonly logger = new Logger('startup');
  private done = false;
  private isLeftOut = false;

  constructor(
    private readonly replicaSet: ReplicaSetCheck,
    private readonly version: SchemaVersionCheck,
    private readonly indexes: IndexSync,
  ) {}

  get ready(): boolean {
    return this.done;
  }

  /** Called from `onModuleInit` or a constructor. */
  register(step: StartupStep): void {
    this.steps.push(step);
  }

  /** Nothing is made or brought up to date: for a look at a database of somebody else. */
  leaveOut(): void {
    this.isLeftOut = true;
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.replicaSet.run();
    if (this.isLeftOut) return;
    await this.version.run();
    await this.indexes.run();
    for (const step of this.steps.sort((a, b) => a.order - b.order)) {
      this.logger.debug({ event: 'startup_step', step: step.name });
      await step.run();
    }
    this.done = true;
  }
}
