import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection, mongo } from 'mongoose';
import { AppConfig } from '../config/app-config.js';

/** Most field names of a command that a line tells. */
const MOST_NAMES = 20;
/** How deep a filter or a stage is looked into for its names. */
const MOST_DEEP = 4;

/** What a slow command was, without a value of what anybody stores. */
export interface CommandShape {
  readonly collection: string | null;
  /** Names of the fields and operators of its filter, pipeline or updates, such as `oid` and `tags.$in`. */
  readonly shape: readonly string[];
  readonly sort?: readonly string[];
}

/**
 * Logs commands to the database that took long, by the names of what they ask and never by its values. They are the
 * commands that the process waited for, so the network is in their time. Off unless `SLOW_DATABASE_MS` is set, because
 * the driver then tells of every command.
 */
@Injectable()
export class SlowCommands implements OnModuleInit {
  private readonly logger = new Logger('database');
  private readonly underway = new Map<number, mongo.Document>();

  constructor(
    private readonly config: AppConfig,
    @InjectConnection() private readonly connection: Connection,
  ) {}

  onModuleInit(): void {
    const slowMs = this.config.database.slowCommandMs;
    if (slowMs === 0) return;
    const client: mongo.MongoClient = this.connection.getClient();
    client.on('commandStarted', ({ requestId, command }) => void this.underway.set(requestId, command));
    const ended = (event: mongo.CommandSucceededEvent | mongo.CommandFailedEvent, outcome: string): void => {
      const command = this.underway.get(event.requestId);
      this.underway.delete(event.requestId);
      if (!command || event.duration < slowMs) return;
      const line = {
        event: 'slow_database_command',
        command: event.commandName,
        ms: event.duration,
        outcome,
        ...shapeOf(event.commandName, command),
      };
      this.logger.warn(line);
    };
    client.on('commandSucceeded', (event) => ended(event, 'succeeded'));
    client.on('commandFailed', (event) => ended(event, 'failed'));
  }
}

/** Tells a command by names alone. */
export function shapeOf(name: string, command: mongo.Document): CommandShape {
  const collection = stringIn(command[name]) ?? stringIn(command['collection']);
  const asked: unknown[] = [command['filter'], command['query'], command['pipeline'], command['q']];
  for (const each of [command['updates'], command['deletes']]) if (Array.isArray(each)) asked.push(each.map(filterIn));
  const names = new Set<string>();
  for (const part of asked) gather(part, '', names, MOST_DEEP);
  const sort: unknown = command['sort'];
  const order = typeof sort === 'object' && sort !== null ? Object.keys(sort) : [];
  return { collection, shape: [...names].slice(0, MOST_NAMES), ...(order.length > 0 ? { sort: order } : {}) };
}

const stringIn = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const filterIn = (change: { q?: unknown }): unknown => change.q;

/** Adds the path of each field and operator. Values, and what lies in lists of `$in`, are left out. */
function gather(part: unknown, path: string, names: Set<string>, deep: number): void {
  if (names.size >= MOST_NAMES) return;
  if (Array.isArray(part)) {
    for (const one of part) if (isPlain(one)) gather(one, path, names, deep);
    return;
  }
  if (!isPlain(part)) return;
  for (const [key, value] of Object.entries(part)) {
    const name = path === '' ? key : `${path}.${key}`;
    const goesOn = deep > 1 && (isPlain(value) || (Array.isArray(value) && value.some(isPlain)));
    if (goesOn) gather(value, name, names, deep - 1);
    else names.add(name);
  }
}

/** Whether it is a document, and no value such as an id, a date or a pattern. */
const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
