import { createServer, type Server } from 'node:http';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Application, NextFunction, Request, Response } from 'express';
import { collectDefaultMetrics, Counter, Histogram } from 'prom-client';
import { Outcomes } from '../common/metrics/outcomes.js';
import { AppConfig } from '../config/app-config.js';
import { Gauges } from './gauges.js';

/** Serves Prometheus metrics on a port of their own: they are never open where the API is (docs/architecture.md). */
@Injectable()
export class Metrics implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('metrics');
  private server: Server | null = null;

  private readonly durations = new Histogram({
    name: 'muniment_http_request_seconds',
    help: 'Duration of requests by route',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
    registers: [this.outcomes.registry],
  });
  private readonly bytes = new Counter({
    name: 'muniment_http_bytes_total',
    help: 'Bytes over the sockets of requests, by direction',
    labelNames: ['direction'],
    registers: [this.outcomes.registry],
  });

  constructor(
    private readonly config: AppConfig,
    private readonly outcomes: Outcomes,
    private readonly gauges: Gauges,
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
    const { registry } = this.outcomes;
    collectDefaultMetrics({ register: registry });
    this.gauges.addTo(registry);
    const { host, metricsPort } = this.config.http;
    const server = createServer((request, response) => {
      if (request.url !== '/metrics') return void response.writeHead(404).end();
      registry.metrics().then(
        (text) => void response.writeHead(200, { 'content-type': registry.contentType }).end(text),
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
