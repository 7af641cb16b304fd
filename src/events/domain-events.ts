import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import { newId } from '../common/ids/uuid.js';
import { minutes, seconds } from '../common/units/durations.js';
import { UnitOfWork, type Tx } from '../database/unit-of-work.js';
import { EventsRepository } from './data/events.repository.js';
import type { StoredEvent } from './data/stored-event.schema.js';
import type { DomainEvent, EventPayloads, EventType } from './event-types.js';

type Listener = (event: DomainEvent) => Promise<void>;
interface Registration {
  readonly name: string;
  readonly handle: Listener;
}

/** Records a fact inside the open transaction. */
export type Record = <K extends EventType>(type: K, payload: EventPayloads[K]) => void;

/** A listener may take this long before another process takes the event over. */
const LEASE_MS = minutes(2);
/** First wait before a failed listener is called again; doubles up to an hour. */
const RETRY_MS = seconds(5);
const MAX_RETRY_MS = minutes(60);

/**
 * Facts recorded in the transaction of the change and told after it: at once and awaited, so that the response is
 * consistent; after a crash by whichever process finds them. At least once, so listeners are idempotent by event id.
 */
@Injectable()
export class DomainEvents {
  private readonly listeners = new Map<EventType, Registration[]>();
  private readonly logger = new Logger('events');

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly repository: EventsRepository,
    private readonly clock: Clock,
  ) {}

  /** Called from `onModuleInit`. `name` is stable: it is stored with events that are still to be told. */
  on<K extends EventType>(type: K, name: string, handle: (event: DomainEvent<K>) => Promise<void>): void {
    const registered = this.listeners.get(type) ?? [];
    this.listeners.set(type, [...registered, { name, handle: handle as unknown as Listener }]);
  }

  /** Runs a change and the recording of its facts in one transaction, then tells the listeners. */
  async transact<T>(work: (tx: Tx, record: Record) => Promise<T>): Promise<T> {
    let recorded: StoredEvent[] = [];
    const result = await this.unitOfWork.run(async (tx) => {
      // The driver may run the work again after a conflict.
      recorded = [];
      const value = await work(tx, (type, payload) => void recorded.push(this.toStored(type, payload)));
      await this.repository.record(recorded, tx);
      return value;
    });
    for (const event of recorded) await this.dispatch(event);
    return result;
  }

  /** Records and tells facts that belong to no other write. */
  async publish<K extends EventType>(type: K, payload: EventPayloads[K]): Promise<void> {
    await this.transact(async (_tx, record) => {
      record(type, payload);
      return Promise.resolve();
    });
  }

  /** Tells events that a dead process left behind, or whose listener failed. @returns how many were claimed */
  async recover(max = 100): Promise<number> {
    for (let claimed = 0; claimed < max; claimed++) {
      const now = this.clock.now();
      const event = await this.repository.claimExpired(now, new Date(now.getTime() + LEASE_MS));
      if (!event) return claimed;
      await this.dispatch(event);
    }
    return max;
  }

  private toStored<K extends EventType>(type: K, payload: EventPayloads[K]): StoredEvent {
    const now = this.clock.now();
    const pending = (this.listeners.get(type) ?? []).map(({ name }) => name);
    return {
      _id: newId(),
      type,
      payload,
      created: now,
      pending,
      attempts: 0,
      leaseUntil: new Date(now.getTime() + LEASE_MS),
    };
  }

  private async dispatch(stored: StoredEvent): Promise<void> {
    const { _id: id, payload, created } = stored;
    const type = stored.type as EventType;
    const event = { id, type, payload, created } as DomainEvent;
    let failed = false;
    for (const { name, handle } of this.listeners.get(type) ?? []) {
      if (!stored.pending.includes(name)) continue;
      try {
        await handle(event);
        await this.repository.handledBy(id, name);
      } catch (error) {
        failed = true;
        this.logger.error({ event: 'listener_failed', listener: name, type, eventId: id, err: error });
      }
    }
    if (!failed) return this.repository.remove(id);
    const wait = Math.min(RETRY_MS * 2 ** stored.attempts, MAX_RETRY_MS);
    await this.repository.postpone(id, new Date(this.clock.nowMs() + wait));
  }
}
