import { Mark, type MethodMarker } from '../common/discovery/mark.js';
import type { DomainEvent, EventType } from './event-types.js';

export type Listener<K extends EventType = EventType> = (event: DomainEvent<K>) => Promise<void>;

interface Listening {
  readonly facts: readonly EventType[];
  readonly name: string;
  readonly inOrder: boolean;
}

export interface ListenerOptions {
  /**
   * The listener is told the facts of one subject in the order of their recording, even if a process died in between.
   * The process that tells a later fact tells the earlier ones first. So the listener may be called for one event twice
   * at the same time.
   */
  readonly inOrder?: boolean;
}

/** Marks found by `DomainEvents`. The decorator checks which facts a method may take. */
export const LISTENERS = new Mark<Listening, (event: never) => Promise<void>>();

/**
 * Tells the method these facts, each at least once. The method must be idempotent by the event's id.
 * @param name must be stable, because it is stored with pending events, and unique per fact
 */
export const OnFact = <K extends EventType>(
  facts: K | readonly K[],
  name: string,
  { inOrder = false }: ListenerOptions = {},
): MethodMarker<Listener<K>> =>
  LISTENERS.onMethod({ facts: typeof facts === 'string' ? [facts] : facts, name, inOrder });
