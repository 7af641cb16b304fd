import { Injectable } from '@nestjs/common';
import { OrgsRepository } from '../../orgs/data/orgs.repository.js';
import { CollectionsRepository } from '../data/collections.repository.js';

/** What a program that shows a link to a public page says about it. */
export interface PublicPreview {
  readonly title: string;
  readonly description: string;
  /** Address of the collection's picture. */
  readonly image: string | null;
}

/** Reads the little that link previews show, of pages that are listed for everybody: unlisted ones tell nothing. */
@Injectable()
export class PublicPreviews {
  constructor(
    private readonly orgs: OrgsRepository,
    private readonly collections: CollectionsRepository,
  ) {}

  /** @returns null where the org shows no public profile */
  async ofOrg(orgSlug: string): Promise<PublicPreview | null> {
    const org = await this.orgs.findBySlug(orgSlug);
    if (!org?.enablePublicProfile) return null;
    return { title: org.name, description: org.publicDescription ?? '', image: null };
  }

  /** @param origin the base of the picture's address @returns null unless the collection is public */
  async ofCollection(orgSlug: string, slug: string, origin: string): Promise<PublicPreview | null> {
    const org = await this.orgs.findBySlug(orgSlug);
    if (!org) return null;
    const collection =
      (await this.collections.findBySlug(org._id, slug)) ?? (await this.collections.findByPreviousSlug(org._id, slug));
    if (collection?.access !== 'public') return null;
    return {
      title: `${collection.name} · ${org.name}`,
      description: collection.caption ?? '',
      image: collection.thumbnail
        ? `${origin}/api/public/orgs/${encodeURIComponent(org.slug)}/collections/${encodeURIComponent(collection.slug)}/thumbnail`
        : null,
    };
  }
}
