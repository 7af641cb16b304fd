import { Injectable } from '@nestjs/common';
import { Links } from '../links/links.js';
import { isSuccessful } from '../items/data/item-state.facts.js';
import { ItemsRepository } from '../items/data/items.repository.js';
import type { StoredFile } from '../objects/data/stored-file.schema.js';
import type { Org } from '../orgs/data/org.schema.js';
import { PresignedFiles, type PresignedResource } from '../storage/presigned-files.js';

interface FinishedItem {
  readonly itemId: string;
  readonly resources: PresignedResource[];
  readonly state: string;
}

interface ItemsOfCollection {
  readonly collectionId: string;
  readonly itemIds: string[];
  readonly downloadUrl: string;
}

/** Builds the parts of webhook bodies that need stored data. Contract: archive §11. */
@Injectable()
export class WebhookBodies {
  constructor(
    private readonly items: ItemsRepository,
    private readonly presigned: PresignedFiles,
    private readonly links: Links,
  ) {}

  /** Body of a finished crawl or upload. It has resources only when the item succeeded and still exists. */
  async finishedItem(org: Org, itemId: string, state: string): Promise<FinishedItem> {
    const item = isSuccessful(state) ? await this.items.findById(org._id, itemId) : null;
    return { itemId, resources: this.resources(org, itemId, item?.files ?? []), state };
  }

  async finishedQaRun(
    org: Org,
    itemId: string,
    qaRunId: string,
    state: string,
  ): Promise<FinishedItem & { qaRunId: string }> {
    const item = isSuccessful(state) ? await this.items.findById(org._id, itemId) : null;
    const active = item?.qa?.id === qaRunId ? item.qa : null;
    const files = (active ?? item?.qaFinished?.[qaRunId])?.files ?? [];
    return { itemId, resources: this.resources(org, itemId, files), state, qaRunId };
  }

  /** Body for items that joined or left a collection, with the collection's current URL. */
  itemsOfCollection(org: Org, collectionId: string, itemIds: string[]): ItemsOfCollection {
    const downloadUrl = `${this.links.inWebhook(org)}/api/orgs/${org._id}/collections/${collectionId}/download`;
    return { collectionId, itemIds, downloadUrl };
  }

  /** Exactly the contract's eight keys, because receivers may refuse unknown ones. */
  private resources(org: Org, itemId: string, files: readonly StoredFile[]): PresignedResource[] {
    const origin = this.links.inWebhook(org);
    return this.presigned
      .resources(org, [{ itemId, files }], 'whole')
      .map(({ name, path, hash, size, crawlId, numReplicas, expireAt, fromDependency }) => ({
        ...{ name, path: path.startsWith('/') ? `${origin}${path}` : path, hash, size },
        ...{ crawlId, numReplicas, expireAt, fromDependency },
      }));
  }
}
