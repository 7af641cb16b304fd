import { createServer, type Server } from 'node:http';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Application, NextFunction, Request, Response } from 'express';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { Clock } from '../common/clock/clock.js';
import { AppConfig } from '../config/app-config.js';
import { MetricsQueries } from './data/metrics.queries.js';

/** Serves Prometheus metrics on a port of their own: they are never open where the API is (docs/architecture.md). */
@Injectable()
export class Metrics implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly registry = new Registry();
  private readonly logger = new Logger('metrics');
  private server: Server | null = null;

  private readonly durations = new Histogram({
    name: 'muniment_http_request_seconds',
    help: 'Duration of requests by route',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
    registers: [this.registry],
  });
  private readonly bytes = new Counter({
    name: 'muniment_http_bytes_total',
    help: 'Bytes over the sockets of requests, by direction',
    labelNames: ['direction'],
    registers: [this.registry],
  });

  constructor(
    private readonly config: AppConfig,
    private readonly queries: MetricsQueries,
    private readonly clock: Clock,
  ) {}

  /** Call it before the routes and after the server's settings, because the first middleware freezes them. */
  observeOn(server: Application): void {
    if (this.isOn) server.use(this.observe);
  }

  private get isOn(): boolean {
    return this.config.http.metricsPort > 0;
  }

  async onApplicationBootstrap(): Promise<void> {
    if (!this.isOn) return;
    collectDefaultMetrics({ register: this.registry });
    this.addGauges();
    const { host, metricsPort } = this.config.http;
    const server = createServer((request, response) => {
      if (request.url !== '/metrics') return void response.writeHead(404).end();
      this.registry.metrics().then(
        (text) => void response.writeHead(200, { 'content-type': this.registry.contentType }).end(text),
        (error: unknown) => {
          this.logger.error({ event: 'metrics_failed', err: error });
          response.writeHead(503).end();
        },
      );
    });
    this.server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(metricsPort, host, resolve);
    });
    this.logger.log({ event: 'metrics_listening', url: `http://${host}:${metricsPort}/metrics` });
  }

  async onApplicationShutdown(): Promise<void> {
    const { server } = this;
    if (server) await new Promise((resolve) => server.close(resolve));
  }

  private addGauges(): void {
    const { queries, clock, registry } = this;
    const registers = [registry];
    new Gauge({
      name: 'muniment_crawls',
      help: 'Active crawls by state',
      labelNames: ['state'],
      registers,
      async collect() {
        for (const [state, count] of await queries.activeCrawls()) this.set({ state }, count);
      },
    });
    const secondsSince = (at: Date | null): number => (at ? Math.max(0, clock.nowMs() - at.getTime()) / 1000 : 0);
    this.gauge('muniment_browser_windows', 'Browser windows of the crawls that run', () => queries.windowsInUse());
    this.gauge(
      'muniment_crawl_longest_wait_seconds',
      'How long the crawl waits that waits longest for its turn or for room, 0 when none does',
      async () => secondsSince(await queries.longestWaitingSince()),
    );
    this.gauge(
      'muniment_job_longest_wait_seconds',
      'How long the background job is due that is due longest, 0 when none is',
      async () => secondsSince(await queries.jobDueSince()),
    );
    this.gauge('muniment_jobs_queued', 'Background jobs due, running or waiting for another try', () =>
      queries.queuedJobs(),
    );
    const oldest = new Gauge({
      name: 'muniment_webhook_oldest_undelivered_seconds',
      help: 'Age of the notification that is next to be sent, 0 when there is none',
      registers,
    });
    new Gauge({
      name: 'muniment_webhooks_undelivered',
      help: 'Webhook notifications on their way',
      registers,
      async collect() {
        const undelivered = await queries.undelivered();
        this.set(undelivered.count);
        oldest.set(secondsSince(undelivered.oldest));
      },
    });
  }

  /** A gauge that is read on each request for metrics. */
  private gauge(name: string, help: string, read: () => Promise<number>): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      async collect() {
        this.set(await read());
      },
    });
  }

  private readonly observe = (request: Request, response: Response, next: NextFunction): void => {
    const started = performance.now();
    const { socket } = request;
    const [readBefore, writtenBefore] = [socket.bytesRead, socket.bytesWritten];
    response.once('close', () => {
      // The label is the route's pattern, because paths with ids would make a series each.
      const route = (request.route as { path?: string } | undefined)?.path ?? 'unrouted';
      const labels = { method: request.method, route, status: String(response.statusCode) };
      this.durations.observe(labels, (performance.now() - started) / 1000);
      this.bytes.inc({ direction: 'in' }, Math.max(0, socket.bytesRead - readBefore));
      this.bytes.inc({ direction: 'out' }, Math.max(0, socket.bytesWritten - writtenBefore));
    });
    next();
  };
}
