import type { StoredThumbnailSource } from '../data/collection.schema.js';
import type { ThumbnailQuery } from '../dto/collection-queries.dto.js';

/** Returns null unless all three parts are there. */
export const toThumbnailSource = ({
  sourceUrl,
  sourceTs,
  sourcePageId,
}: Pick<ThumbnailQuery, 'sourceUrl' | 'sourceTs' | 'sourcePageId'>): StoredThumbnailSource | null =>
  sourceUrl !== null && sourceTs !== null && sourcePageId !== null
    ? { url: sourceUrl, urlTs: sourceTs, urlPageId: sourcePageId }
    : null;
