import type { PublicCollectionPath } from '../../collections/dto/collection-queries.dto.js';
import { timeOf } from '../rules/capture.js';

/** Addresses of Memento for one original resource in one collection. RFC 7089. */
export class MementoLinks {
  private readonly base: string;

  /** @param origin base of the service */
  constructor(
    private readonly origin: string,
    private readonly path: PublicCollectionPath,
    readonly original: string,
  ) {
    const [org, collection] = [path.org_slug, path.coll_slug].map(encodeURIComponent);
    this.base = `${origin}/api/public/orgs/${org ?? ''}/collections/${collection ?? ''}`;
  }

  get timegate(): string {
    return `${this.base}/timegate/${this.original}`;
  }

  timemap(form: 'link' | 'json'): string {
    return `${this.base}/timemap/${form}/${this.original}`;
  }

  /** @param ts `YYYYMMDDhhmmss` */
  memento(ts: string): string {
    return `${this.base}/memento/${ts}/${this.original}`;
  }

  /** The archived bytes. */
  raw(ts: string, original = this.original): string {
    return `${this.base}/memento/${ts}id_/${original}`;
  }

  /** The page where people see the resource replayed. */
  replay(ts: string): string {
    const [org, collection] = [this.path.org_slug, this.path.coll_slug].map(encodeURIComponent);
    const shown = new URLSearchParams({ url: this.original, ts });
    return `${this.origin}/explore/${org ?? ''}/collections/${collection ?? ''}?${shown.toString()}`;
  }
}

export const httpDate = (ts: string): string => new Date(timeOf(ts)).toUTCString();

/** A value of the `Link` header, or an entry of a TimeMap. Addresses are encoded, so they hold no angle bracket. */
export function link(target: string, rel: string, more: Readonly<Record<string, string>> = {}): string {
  const attributes = Object.entries({ rel, ...more }).map(([name, value]) => `${name}="${value}"`);
  return `<${target}>; ${attributes.join('; ')}`;
}
