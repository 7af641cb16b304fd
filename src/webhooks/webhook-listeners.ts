import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainEvents } from '../events/domain-events.js';
import type { DomainEvent, EventType } from '../events/event-types.js';
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
    this.listen('crawl.started', (event) => this.crawlStarted(event));
    this.listen('crawl.finished', (event) => this.crawlFinished(event));
    this.listen('crawl.reviewed', (event) => this.reviewed(event));
    this.listen('upload.finished', (event) => this.uploadFinished(event));
    this.listen('item.deleted', (event) => this.itemDeleted(event));
    this.listen('qa.started', (event) => this.qaStarted(event));
    this.listen('qa.finished', (event) => this.qaFinished(event));
    this.listen('collection.itemsAdded', (event) => this.collectionChanged('addedToCollection', event));
    this.listen('collection.itemsRemoved', (event) => this.collectionChanged('removedFromCollection', event));
    this.listen('collection.deleted', (event) => this.collectionDeleted(event));
  }

  private listen<K extends EventType>(type: K, handle: (event: DomainEvent<K>) => Promise<void>): void {
    this.events.on(type, 'webhooks', handle, { inOrder: true });
  }

  /** Once per crawl, however often it starts again. */
  private async crawlStarted({ id, payload, order }: DomainEvent<'crawl.started'>): Promise<void> {
    const { oid, crawlId, scheduled } = payload;
    if (await this.notifications.existsForItem(oid, 'crawlStarted', crawlId)) return;
    const fact = { id, oid, event: 'crawlStarted', order } as const;
    await this.recorder.record(fact, () => ({ itemId: crawlId, scheduled }));
  }

  private async crawlFinished({ id, payload, order }: DomainEvent<'crawl.finished'>): Promise<void> {
    const { oid, crawlId, state } = payload;
    const fact = { id, oid, event: 'crawlFinished', order } as const;
    await this.recorder.record(fact, (org) => this.bodies.finishedItem(org, crawlId, state));
  }

  private async uploadFinished({ id, payload, order }: DomainEvent<'upload.finished'>): Promise<void> {
    const { oid, itemId, state } = payload;
    if (state !== 'complete') return;
    const fact = { id, oid, event: 'uploadFinished', order } as const;
    await this.recorder.record(fact, (org) => this.bodies.finishedItem(org, itemId, state));
  }

  private async reviewed({ id, payload, order }: DomainEvent<'crawl.reviewed'>): Promise<void> {
    const { oid, crawlId, reviewStatus, reviewStatusLabel, description } = payload;
    if (!reviewStatus) return;
    const fact = { id, oid, event: 'crawlReviewed', order } as const;
    await this.recorder.record(fact, () => ({ itemId: crawlId, reviewStatus, reviewStatusLabel, description }));
  }

  private async itemDeleted({ id, payload, order }: DomainEvent<'item.deleted'>): Promise<void> {
    const { oid, itemId, type, collectionIds } = payload;
    const event = type === 'crawl' ? 'crawlDeleted' : 'uploadDeleted';
    await this.recorder.record({ id, oid, event, order }, () => ({ itemId }));
    for (const collectionId of collectionIds)
      await this.collectionChanged('removedFromCollection', {
        id,
        order,
        payload: { oid, collectionId, itemIds: [itemId] },
      });
  }

  private async qaStarted({ id, payload, order }: DomainEvent<'qa.started'>): Promise<void> {
    const { oid, crawlId, qaRunId } = payload;
    const fact = { id, oid, event: 'qaAnalysisStarted', order } as const;
    await this.recorder.record(fact, () => ({ itemId: crawlId, qaRunId }));
  }

  private async qaFinished({ id, payload, order }: DomainEvent<'qa.finished'>): Promise<void> {
    const { oid, crawlId, qaRunId, state } = payload;
    const fact = { id, oid, event: 'qaAnalysisFinished', order } as const;
    await this.recorder.record(fact, (org) => this.bodies.finishedQaRun(org, crawlId, qaRunId, state));
  }

  private async collectionChanged(
    event: 'addedToCollection' | 'removedFromCollection',
    { id, payload, order }: Pick<DomainEvent<'collection.itemsAdded'>, 'id' | 'payload' | 'order'>,
  ): Promise<void> {
    const { oid, collectionId, itemIds } = payload;
    const fact = { id, oid, event, discriminator: collectionId, order } as const;
    await this.recorder.record(fact, (org) => ({
      collectionId,
      itemIds,
      downloadUrl: this.bodies.collectionDownloadUrl(org, collectionId),
    }));
  }

  private async collectionDeleted({ id, payload, order }: DomainEvent<'collection.deleted'>): Promise<void> {
    const { oid, collectionId } = payload;
    const fact = { id, oid, event: 'collectionDeleted', order } as const;
    await this.recorder.record(fact, () => ({ collectionId }));
  }
}
