import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../common/clock/clock.js';
import { byName } from '../common/discovery/by-name.js';
import { Discovered } from '../common/discovery/discovered.js';
import { isDatabaseAway } from '../common/errors/database-away.js';
import { newId } from '../common/ids/uuid.js';
import { minutes, seconds } from '../common/units/durations.js';
import { LeasedWorker, type ClaimedWork } from '../database/leased-worker.js';
import type { Held } from '../database/leases.js';
import { UnitOfWork, type Tx } from '../database/unit-of-work.js';
import { EventsRepository } from './data/events.repository.js';
import type { StoredEvent } from './data/stored-event.schema.js';
import type { DomainEvent, EventPayloads, EventType } from './event-types.js';
import { NEVER } from '../database/failing.js';
import { orderAt, orderOf } from '../database/fact-order.js';
import { LISTENERS, type Listener } from './on-fact.js';

interface Registration {
  readonly name: string;
  readonly handle: Listener;
  readonly inOrder: boolean;
}

/** Records a fact inside the open transaction. */
export type RecordFact = <K extends EventType>(type: K, payload: EventPayloads[K]) => void;

/** Most events of dead processes that are told at a time. */
const MAX_AT_ONCE = 4;
/** Earlier facts told at a time when a later one was first. */
const CATCH_UP = 100;
/** First wait before a failed listener is called again; it doubles up to an hour. */
const RETRY_MS = seconds(5);
const MAX_RETRY_MS = minutes(60);
/** Tries over two and a half days. An event that a listener still refuses is set aside, and `check` reports it. */
const MAX_ATTEMPTS = 70;

/**
 * Facts are recorded in the transaction of the change. They are told right after it and awaited, so that the response
 * is consistent; after a crash any process tells them. Listeners may be called again and are idempotent by event id.
 */
@Injectable()
export class DomainEvents extends LeasedWorker<Held<StoredEvent>> implements OnModuleInit {
  private readonly listeners = new Map<EventType, Registration[]>();

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly repository: EventsRepository,
    private readonly clock: Clock,
    private readonly discovered: Discovered,
  ) {
    super(repository.leases, new Logger('events'));
  }

  /** @throws Error when a fact has two listeners of one name */
  onModuleInit(): void {
    const found = this.discovered.with(LISTENERS);
    for (const fact of new Set(found.flatMap(({ mark }) => mark.facts))) {
      const ofFact = found.filter(({ mark }) => mark.facts.includes(fact));
      const named = byName(`listener to ${fact}`, ofFact, ({ name }) => name);
      const listeners = [...named.values()].map(({ mark, wearer }) => ({ ...mark, handle: wearer as Listener }));
      this.listeners.set(fact, listeners);
    }
  }

  /** Runs a change and the recording of its facts in one transaction, then tells the listeners. */
  async transact<T>(work: (tx: Tx, record: RecordFact) => Promise<T>): Promise<T> {
    let recorded: Held<StoredEvent>[] = [];
    const result = await this.unitOfWork.run(async (tx) => {
      // The driver may run the work again after a conflict.
      recorded = [];
      const value = await work(tx, (type, payload) => void recorded.push(this.begun(type, payload)));
      await this.repository.record(recorded, tx);
      return value;
    });
    await this.tellAll(recorded);
    return result;
  }

  /** Records and tells facts that belong to no other write. */
  async publish<K extends EventType>(type: K, payload: EventPayloads[K]): Promise<void> {
    await this.transact(async (_tx, record) => {
      record(type, payload);
      return Promise.resolve();
    });
  }

  /** Looks for events that a dead process left, or whose listener failed. */
  @Interval(seconds(5))
  override look(): Promise<number> {
    return super.look();
  }

  /** Claims the oldest first. A slow listener does not delay other events. */
  protected async claim(): Promise<ClaimedWork<Held<StoredEvent>>> {
    const held = this.underWay.length < MAX_AT_ONCE ? await this.repository.claim() : null;
    return { held: held ? [held] : [], more: held !== null };
  }

  protected async work(held: Held<StoredEvent>): Promise<void> {
    try {
      await this.tell(held);
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      const { type, _id: eventId } = held.record;
      this.logger.error({ event: 'event_not_told', type, eventId, err: error });
      await this.postpone(held);
    }
  }

  private begun<K extends EventType>(type: K, payload: EventPayloads[K]): Held<StoredEvent> {
    const lease = this.repository.leases.begin(newId());
    const pending = (this.listeners.get(type) ?? []).map(({ name }) => name);
    const record = {
      _id: lease.recordId,
      type,
      payload,
      created: lease.claimedAt,
      pending,
      attempts: 0,
      leaseUntil: lease.until,
      subject: subjectOf(payload),
    };
    return { record, lease };
  }

  private async tellAll(recorded: readonly Held<StoredEvent>[]): Promise<void> {
    const { leases } = this.repository;
    for (const { lease } of recorded) leases.keep(lease);
    try {
      for (const held of recorded) await this.tell(held);
    } finally {
      for (const { lease } of recorded) leases.letGo(lease);
    }
  }

  private async tell(held: Held<StoredEvent>): Promise<void> {
    const { record: stored } = held;
    const id = stored._id;
    const type = stored.type as EventType;
    const listeners = this.listeners.get(type) ?? [];
    if (listeners.some(({ inOrder }) => inOrder)) stored.order ??= await this.repository.orderOf(id);
    let failed = false;
    for (const listener of listeners) {
      const { name } = listener;
      if (!stored.pending.includes(name)) continue;
      try {
        if (listener.inOrder) await this.catchUp(listener, stored);
        await listener.handle(toEvent(stored));
        await this.repository.handledBy(id, name);
      } catch (error) {
        failed = true;
        this.logger.error({ event: 'listener_failed', listener: name, type, eventId: id, err: error });
      }
    }
    if (!failed) return this.repository.remove(id);
    await this.postpone(held);
  }

  private async postpone({ record, lease }: Held<StoredEvent>): Promise<void> {
    const { _id: eventId, type, attempts } = record;
    const wait = Math.min(RETRY_MS * 2 ** attempts, MAX_RETRY_MS);
    const isOver = attempts >= MAX_ATTEMPTS;
    if (isOver) this.logger.error({ event: 'event_set_aside', type, eventId, attempts });
    await this.repository.leases.giveBack([lease], isOver ? NEVER : new Date(this.clock.nowMs() + wait));
  }

  /**
   * Tells a listener the earlier facts of the subject that it has not heard; their owners remove them. A fact that
   * fails is left to its own retries, and later facts don't wait.
   */
  private async catchUp({ name }: Registration, { subject, order }: StoredEvent): Promise<void> {
    if (!subject || !order) return;
    for (const earlier of await this.repository.earlierFor(name, subject, order, CATCH_UP)) {
      const listener = this.listeners.get(earlier.type as EventType)?.find((one) => one.name === name);
      try {
        await listener?.handle(toEvent(earlier));
        await this.repository.handledBy(earlier._id, name);
      } catch (error) {
        this.logger.error({
          event: 'listener_failed',
          listener: name,
          type: earlier.type,
          eventId: earlier._id,
          err: error,
        });
      }
    }
  }
}

function toEvent({ _id: id, type, payload, created, order }: StoredEvent): DomainEvent {
  const position = order ? orderOf(order) : orderAt(created.getTime());
  return { id, type, payload, created, order: position } as DomainEvent;
}

/** The subject of a fact, most specific first. */
function subjectOf(payload: object): string | null {
  const { qaRunId, crawlId, itemId, collectionId } = payload as Partial<{ [id: string]: string }>;
  return qaRunId ?? crawlId ?? itemId ?? collectionId ?? null;
}
