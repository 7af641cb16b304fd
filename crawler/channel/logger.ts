import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppendLog } from '../base/append-log.js';
import { nowIso } from '../base/time.js';
import type { LogLevel, LogLine } from '../protocol.js';
import type { Channel } from './channel.js';

const BEHAVIOR_CONTEXTS = new Set(['behavior', 'behaviorScript']);
const ERROR_LEVELS = new Set<LogLevel>(['error', 'interrupt', 'fatal']);
/** Longest detail of a line, because a page could log without end through its behaviors. */
const MAX_DETAIL_CHARS = 4_000;
const MAX_MESSAGE_CHARS = 1_000;

/** Writes log lines to the segment's log file. Lines that the supervisor stores go to the journal too. */
export class Logger {
  private file: AppendLog | null = null;
  private early: LogLine[] = [];

  constructor(private readonly channel: Channel) {}

  /** Directs further lines to this file; resolves when the former file is closed. */
  async switchTo(path: string): Promise<void> {
    await mkdir(dirname(path), { recursive: true });
    const next = await AppendLog.open(path);
    const former = this.file;
    this.file = next;
    const lines = this.early;
    this.early = [];
    await next.append(...lines);
    await former?.close();
  }

  log(logLevel: LogLevel, context: string, message: string, details: Record<string, unknown> = {}): void {
    const text = message.slice(0, MAX_MESSAGE_CHARS);
    const line: LogLine = { timestamp: nowIso(), logLevel, context, message: text, details: shorten(details) };
    if (this.file) this.file.append(line).catch(() => undefined);
    else this.early.push(line);
    const list = listOf(line);
    if (list) this.channel.journal({ t: 'log', list, line }).catch(() => undefined);
  }

  debug(context: string, message: string, details?: Record<string, unknown>): void {
    this.log('debug', context, message, details);
  }
  info(context: string, message: string, details?: Record<string, unknown>): void {
    this.log('info', context, message, details);
  }
  warn(context: string, message: string, details?: Record<string, unknown>): void {
    this.log('warn', context, message, details);
  }
  error(context: string, message: string, details?: Record<string, unknown>): void {
    this.log('error', context, message, details);
  }

  async close(): Promise<void> {
    await this.file?.close();
    this.file = null;
  }
}

/** The stored list of a line, if any (spec crawling §14.5, keys `:e` and `:b`). */
export function listOf(line: LogLine): 'error' | 'behavior' | null {
  if (ERROR_LEVELS.has(line.logLevel)) return 'error';
  if (line.context === 'behaviorScriptCustom') return 'behavior';
  if (BEHAVIOR_CONTEXTS.has(line.context) && line.logLevel !== 'debug') return 'behavior';
  return null;
}

function shorten(details: Record<string, unknown>): Record<string, unknown> {
  const text = JSON.stringify(details);
  if (text === undefined || text.length <= MAX_DETAIL_CHARS) return details;
  return { cut: text.slice(0, MAX_DETAIL_CHARS) };
}
