import { Injectable } from '@nestjs/common';
import type { DomainEvent } from '../events/event-types.js';
import { OnFact } from '../events/on-fact.js';
import { NotificationsRepository } from './data/notifications.repository.js';
import { WebhookBodies } from './webhook-bodies.js';
import { WebhookRecorder } from './webhook-recorder.js';

const AS_WEBHOOKS = ['webhooks', { inOrder: true }] as const;

/** Which facts are told to receivers, and as what. Contract: archive §11, "When". */
@Injectable()
export class WebhookListeners {
  constructor(
    private readonly recorder: WebhookRecorder,
    private readonly bodies: WebhookBodies,
    private readonly notifications: NotificationsRepository,
  ) {}

  /** Once per crawl, however often it starts again. */
  @OnFact('crawl.started', ...AS_WEBHOOKS)
  async crawlStarted({ id, payload, order }: DomainEvent<'crawl.started'>): Promise<void> {
    const { oid, crawlId, scheduled } = payload;
    if (await this.notifications.existsForItem(oid, 'crawlStarted', crawlId)) return;
    const fact = { id, oid, event: 'crawlStarted', order } as const;
    await this.recorder.record(fact, () => ({ itemId: crawlId, scheduled }));
  }

  @OnFact('crawl.finished', ...AS_WEBHOOKS)
  async crawlFinished({ id, payload, order }: DomainEvent<'crawl.finished'>): Promise<void> {
    const { oid, crawlId, state } = payload;
    const fact = { id, oid, event: 'crawlFinished', order } as const;
    await this.recorder.record(fact, (org) => this.bodies.finishedItem(org, crawlId, state));
  }

  @OnFact('upload.finished', ...AS_WEBHOOKS)
  async uploadFinished({ id, payload, order }: DomainEvent<'upload.finished'>): Promise<void> {
    const { oid, itemId, state } = payload;
    if (state !== 'complete') return;
    const fact = { id, oid, event: 'uploadFinished', order } as const;
    await this.recorder.record(fact, (org) => this.bodies.finishedItem(org, itemId, state));
  }

  @OnFact('crawl.reviewed', ...AS_WEBHOOKS)
  async reviewed({ id, payload, order }: DomainEvent<'crawl.reviewed'>): Promise<void> {
    const { oid, crawlId, reviewStatus, reviewStatusLabel, description } = payload;
    if (!reviewStatus) return;
    const fact = { id, oid, event: 'crawlReviewed', order } as const;
    await this.recorder.record(fact, () => ({ itemId: crawlId, reviewStatus, reviewStatusLabel, description }));
  }

  @OnFact('item.deleted', ...AS_WEBHOOKS)
  async itemDeleted({ id, payload, order }: DomainEvent<'item.deleted'>): Promise<void> {
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

  @OnFact('qa.started', ...AS_WEBHOOKS)
  async qaStarted({ id, payload, order }: DomainEvent<'qa.started'>): Promise<void> {
    const { oid, crawlId, qaRunId } = payload;
    const fact = { id, oid, event: 'qaAnalysisStarted', order } as const;
    await this.recorder.record(fact, () => ({ itemId: crawlId, qaRunId }));
  }

  @OnFact('qa.finished', ...AS_WEBHOOKS)
  async qaFinished({ id, payload, order }: DomainEvent<'qa.finished'>): Promise<void> {
    const { oid, crawlId, qaRunId, state } = payload;
    const fact = { id, oid, event: 'qaAnalysisFinished', order } as const;
    await this.recorder.record(fact, (org) => this.bodies.finishedQaRun(org, crawlId, qaRunId, state));
  }

  @OnFact('collection.itemsAdded', ...AS_WEBHOOKS)
  async itemsAdded(event: DomainEvent<'collection.itemsAdded'>): Promise<void> {
    await this.collectionChanged('addedToCollection', event);
  }

  @OnFact('collection.itemsRemoved', ...AS_WEBHOOKS)
  async itemsRemoved(event: DomainEvent<'collection.itemsRemoved'>): Promise<void> {
    await this.collectionChanged('removedFromCollection', event);
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

  @OnFact('collection.deleted', ...AS_WEBHOOKS)
  async collectionDeleted({ id, payload, order }: DomainEvent<'collection.deleted'>): Promise<void> {
    const { oid, collectionId } = payload;
    const fact = { id, oid, event: 'collectionDeleted', order } as const;
    await this.recorder.record(fact, () => ({ collectionId }));
  }
}
