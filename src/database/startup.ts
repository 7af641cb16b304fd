import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { inOrder, placed, type Placed } from '../common/discovery/by-name.js';
import { Discovered } from '../common/discovery/discovered.js';
import { Mark, type MethodMarker } from '../common/discovery/mark.js';
import { IndexSync } from './index-sync.js';
import { ReplicaSetCheck, SchemaVersionCheck } from './schema-version.js';
import { UnfinishedRestoreCheck } from './unfinished-restore.js';

/** A step of the start. It is idempotent, and safe when several processes run it at once. A throw stops the start. */
type Step = () => Promise<unknown>;
const STEPS = new Mark<Placed, Step>();

/** Marks a method that runs before the first request. @param after steps that have to be done before it */
export const AtStartup = (name: string, { after }: { after?: string | string[] } = {}): MethodMarker<Step> =>
  STEPS.onMethod(placed(name, after));

/** Runs what has to happen before the first request. `/healthzStartup` answers from `ready`. */
@Injectable()
export class Startup implements OnApplicationBootstrap {
  private readonly logger = new Logger('startup');
  private done = false;
  private isLeftOut = false;

  constructor(
    private readonly discovered: Discovered,
    private readonly replicaSet: ReplicaSetCheck,
    private readonly version: SchemaVersionCheck,
    private readonly unfinished: UnfinishedRestoreCheck,
    private readonly indexes: IndexSync,
  ) {}

  get ready(): boolean {
    return this.done;
  }

  /** Names of the steps, in their order. */
  get names(): string[] {
    return inOrder('start-up step', this.discovered.with(STEPS)).map(({ mark }) => mark.name);
  }

  /** Leaves all steps out, for reading a database of another deployment: nothing is created or brought up to date. */
  leaveOut(): void {
    this.isLeftOut = true;
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.replicaSet.run();
    await this.version.refuseOthers();
    if (this.isLeftOut) return;
    await this.unfinished.run();
    await this.version.run();
    await this.indexes.run();
    for (const { mark, wearer: run } of inOrder('start-up step', this.discovered.with(STEPS))) {
      this.logger.debug({ event: 'startup_step', step: mark.name });
      await run();
    }
    this.done = true;
  }
}
