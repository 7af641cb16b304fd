import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainEvents } from '../events/domain-events.js';
import type { DomainEvent } from '../events/event-types.js';
import { NotificationsRepository } from './data/notifications.repository.js';
import { WebhookBodies } from './webhook-bodies.js';
import { WebhookRecorder } from './webhook-recorder.js';

/** Which facts are told to receivers, and as what. Contract: archive §11, "When". */
@Injectable()
export class WebhookListeners implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly recorder: WebhookRecorder,
    private readonly bodies: WebhookBodies,
    private readonly notifications: NotificationsRepository,
  ) {}

  onModuleInit(): void {
    this.events.on('crawl.started', 'webhooks', (event) => this.crawlStarted(event));
    this.events.on('crawl.finished', 'webhooks', (event) => this.crawlFinished(event));
    this.events.on('crawl.reviewed', 'webhooks', (event) => this.reviewed(event));
    this.events.on('upload.finished', 'webhooks', (event) => this.uploadFinished(event));
    this.events.on('item.deleted', 'webhooks', (event) => this.itemDeleted(event));
    this.events.on('qa.started', 'webhooks', (event) => this.qaStarted(event));
    this.events.on('qa.finished', 'webhooks', (event) => this.qaFinished(event));
    this.events.on('collection.itemsAdded', 'webhooks', ({ id, payload }) =>
      this.collectionChanged(id, 'addedToCollection', payload.oid, payload.collectionId, payload.itemIds),
    );
    this.events.on('collection.itemsRemoved', 'webhooks', ({ id, payload }) =>
      this.collectionChanged(id, 'removedFromCollection', payload.oid, payload.collectionId, payload.itemIds),
    );
    this.events.on('collection.deleted', 'webhooks', (event) => this.collectionDeleted(event));
  }

  /** Once per crawl, however often it starts again. */
  private async crawlStarted({ id, payload }: DomainEvent<'crawl.started'>): Promise<void> {
    const { oid, crawlId, scheduled } = payload;
    if (await this.notifications.existsForItem(oid, 'crawlStarted', crawlId)) return;
    const fact = { id, oid, event: 'crawlStarted', orderKey: crawlId } as const;
    await this.recorder.record(fact, () => ({ itemId: crawlId, scheduled }));
  }

  private async crawlFinished({ id, payload }: DomainEvent<'crawl.finished'>): Promise<void> {
    const { oid, crawlId, state } = payload;
    const fact = { id, oid, event: 'crawlFinished', orderKey: crawlId } as const;
    await this.recorder.record(fact, (org) => this.bodies.finishedItem(org, crawlId, state));
  }

  private async uploadFinished({ id, payload }: DomainEvent<'upload.finished'>): Promise<void> {
    const { oid, itemId, state } = payload;
    if (state !== 'complete') return;
    const fact = { id, oid, event: 'uploadFinished', orderKey: itemId } as const;
    await this.recorder.record(fact, (org) => this.bodies.finishedItem(org, itemId, state));
  }

  private async reviewed({ id, payload }: DomainEvent<'crawl.reviewed'>): Promise<void> {
    const { oid, crawlId, reviewStatus, reviewStatusLabel, description } = payload;
    if (!reviewStatus) return;
    const fact = { id, oid, event: 'crawlReviewed', orderKey: crawlId } as const;
    await this.recorder.record(fact, () => ({ itemId: crawlId, reviewStatus, reviewStatusLabel, description }));
  }

  private async itemDeleted({ id, payload }: DomainEvent<'item.deleted'>): Promise<void> {
    const { oid, itemId, type, collectionIds } = payload;
    const event = type === 'crawl' ? 'crawlDeleted' : 'uploadDeleted';
    await this.recorder.record({ id, oid, event, orderKey: itemId }, () => ({ itemId }));
    for (const collectionId of collectionIds)
      await this.collectionChanged(id, 'removedFromCollection', oid, collectionId, [itemId]);
  }

  private async qaStarted({ id, payload }: DomainEvent<'qa.started'>): Promise<void> {
    const { oid, crawlId, qaRunId } = payload;
    const fact = { id, oid, event: 'qaAnalysisStarted', orderKey: qaRunId } as const;
    await this.recorder.record(fact, () => ({ itemId: crawlId, qaRunId }));
  }

  private async qaFinished({ id, payload }: DomainEvent<'qa.finished'>): Promise<void> {
    const { oid, crawlId, qaRunId, state } = payload;
    const fact = { id, oid, event: 'qaAnalysisFinished', orderKey: qaRunId } as const;
    await this.recorder.record(fact, (org) => this.bodies.finishedQaRun(org, crawlId, qaRunId, state));
  }

  private async collectionChanged(
    factId: string,
    event: 'addedToCollection' | 'removedFromCollection',
    oid: string,
    collectionId: string,
    itemIds: string[],
  ): Promise<void> {
    const fact = { id: factId, oid, event, discriminator: collectionId, orderKey: collectionId } as const;
    await this.recorder.record(fact, (org) => ({
      collectionId,
      itemIds,
      downloadUrl: this.bodies.collectionDownloadUrl(org, collectionId),
    }));
  }

  private async collectionDeleted({ id, payload }: DomainEvent<'collection.deleted'>): Promise<void> {
    const { oid, collectionId } = payload;
    const fact = { id, oid, event: 'collectionDeleted', orderKey: collectionId } as const;
    await this.recorder.record(fact, () => ({ collectionId }));
  }
}
