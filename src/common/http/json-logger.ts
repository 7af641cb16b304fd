import type { LoggerService } from '@nestjs/common';
import { pino, type Logger } from 'pino';
import { currentRequest } from './request-scope.js';

export interface LogSettings {
  readonly format: 'json' | 'text';
  readonly level: string;
}

const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** A value for people. Only the lines of an error's stack go on below, indented, so that no value passes for a line. */
function wordOf(value: unknown): string {
  if (value instanceof Error) return (value.stack ?? value.message).split(/[\r\n]+/).join('\n    ');
  if (typeof value === 'object') return JSON.stringify(value);
  const text = String(value);
  return CONTROL.test(text) ? JSON.stringify(text) : text;
}

function textOf({ event, context, ...rest }: Record<string, unknown>): string {
  const words = Object.entries(rest).map(([key, value]) => `${key}=${wordOf(value)}`);
  return [`[${wordOf(context ?? '')}]`, wordOf(event ?? ''), ...words].join(' ').trim();
}

/**
 * Nest's logger on pino. An event is one line of JSON, or one line of text for people. What is written within a request
 * says which (`requestId`).
 */
export class JsonLogger implements LoggerService {
  private readonly pino: Logger;

  constructor(private readonly settings: LogSettings) {
    const level = settings.level.toLowerCase();
    const known = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'].includes(level) ? level : 'info';
    this.pino = pino({ level: known, base: null, timestamp: pino.stdTimeFunctions.isoTime });
  }

  log(message: unknown, ...context: unknown[]): void {
    // Nest's own start-up chatter (routes, modules) interests developers only.
    this.write(typeof message === 'string' ? 'debug' : 'info', message, context);
  }
  error(message: unknown, ...context: unknown[]): void {
    // Nest's own errors, such as those of its scheduler, come bare. Spread like fields they would say nothing.
    if (message instanceof Error) return this.error({ event: 'unnamed_error', err: message }, ...context);
    this.write('error', message, context);
  }
  warn(message: unknown, ...context: unknown[]): void {
    this.write('warn', message, context);
  }
  debug(message: unknown, ...context: unknown[]): void {
    this.write('debug', message, context);
  }
  verbose(message: unknown, ...context: unknown[]): void {
    this.write('trace', message, context);
  }
  fatal(message: unknown, ...context: unknown[]): void {
    this.write('fatal', message, context);
  }

  private write(
    level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal',
    message: unknown,
    rest: unknown[],
  ): void {
    if (!this.pino.isLevelEnabled(level)) return;
    const fields = typeof message === 'object' && message !== null ? message : { event: String(message) };
    const requestId = currentRequest()?.requestId;
    const line = {
      context: rest.at(-1),
      ...(fields as Record<string, unknown>),
      ...(requestId === undefined ? {} : { requestId }),
    };
    if (this.settings.format === 'json') this.pino[level](line);
    else process.stderr.write(`${level.toUpperCase().padEnd(5)} ${textOf(line)}\n`);
  }
}
