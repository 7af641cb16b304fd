import type { PipelineStage } from 'mongoose';
import type { OrgScoped } from '../org-scoped.js';
import { LARGE, Remembered } from './remembered.js';

export interface CountedTag {
  readonly tag: string;
  readonly count: number;
}

const COUNT_TAGS: PipelineStage[] = [
  { $project: { tags: 1 } },
  { $unwind: '$tags' },
  { $group: { _id: '$tags', count: { $sum: 1 } } },
  { $project: { _id: 0, tag: '$_id', count: 1 } },
];

/** Remembers the tags of many documents. */
export const rememberedTags = (): Remembered<CountedTag[]> =>
  new Remembered({ isLarge: (tags) => tags.reduce((sum, { count }) => sum + count, 0) >= LARGE, mostKept: 100 });

/** The most used tags come first. Tags with the same count are in the database's order of texts. */
export function mostUsedFirst(counts: readonly CountedTag[]): CountedTag[] {
  const keyed = counts.map((one) => ({ one, bytes: Buffer.from(one.tag) }));
  keyed.sort((a, b) => b.one.count - a.one.count || Buffer.compare(a.bytes, b.bytes));
  return keyed.map(({ one }) => one);
}

/**
 * Tags with the number of the org's documents that have them. No index has the order of the counts. The process sorts
 * them, so that the database sorts nothing.
 */
export async function tagCounts<T extends { oid: string }>(
  documents: OrgScoped<T>,
  oid: string,
  match: PipelineStage.Match['$match'] = {},
): Promise<CountedTag[]> {
  return mostUsedFirst(await documents.aggregate<CountedTag>(oid, [{ $match: match }, ...COUNT_TAGS]));
}
