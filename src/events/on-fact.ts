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
   * The listener is told the facts of one subject in the order in which they were recorded, also when a process died
   * between recording a fact and telling it: whoever tells a later fact tells the earlier ones first. So the listener may
   * be called for one event twice at the same time.
   */
  readonly inOrder?: boolean;
}

/** Found by `DomainEvents`. Which facts a method may take is checked where it is decorated. */
export const LISTENERS = new Mark<Listening, (event: never) => Promise<void>>();

/**
 * The method is told these facts, at least once each, so it is idempotent by the event's id.
 * @param name stable: it is stored with events that are still to be told, and is there once per fact
 */
export const OnFact = <K extends EventType>(
  facts: K | readonly K[],
  name: string,
  { inOrder = false }: ListenerOptions = {},
): MethodMarker<Listener<K>> =>
  LISTENERS.onMethod({ facts: typeof facts === 'string' ? [facts] : facts, name, inOrder });
