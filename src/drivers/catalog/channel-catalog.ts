import { readFile } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import type { AppConfig } from '../../config/app-config.js';

/** A version of the crawler that workflows can choose. */
export interface CrawlerChannelEntry {
  readonly id: string;
  readonly image: string;
  /** Pull policy of the image; null: the deployment's default holds. */
  readonly imagePullPolicy: string | null;
}

export const DEFAULT_CHANNEL = 'default';

/**
 * The name of the embedded crawler: the version of the official crawler whose features it has. Contract: crawling §14.
 */
export const EMBEDDED_CRAWLER_IMAGE = 'local/crawler:1.14.1';
const FIELD_CRAWLER_IMAGE = 'docker.io/webrecorder/browsertrix-crawler:latest';

function readEntry(entry: unknown, file: string): CrawlerChannelEntry {
  const { id, image, imagePullPolicy } = (entry ?? {}) as Record<string, unknown>;
  if (typeof id !== 'string' || !id || typeof image !== 'string' || !image)
    throw new Error(`CRAWLER_CHANNELS_JSON: every channel in ${file} needs an id and an image`);
  return { id, image, imagePullPolicy: typeof imagePullPolicy === 'string' ? imagePullPolicy : null };
}

/** The crawler channels of the deployment. Contract: crawling §15 CRAWLER_CHANNELS_JSON. */
@Injectable()
export class ChannelCatalog {
  private constructor(
    readonly list: readonly CrawlerChannelEntry[],
    private readonly defaultPullPolicy: string,
  ) {}

  /** @throws Error for a file that is missing, malformed, or has no channel `default`: the program doesn't start */
  static async load({ crawls }: AppConfig): Promise<ChannelCatalog> {
    const file = crawls.channelsFile;
    const image = crawls.inContainers ? FIELD_CRAWLER_IMAGE : EMBEDDED_CRAWLER_IMAGE;
    if (!file)
      return new ChannelCatalog([{ id: DEFAULT_CHANNEL, image, imagePullPolicy: null }], crawls.imagePullPolicy);
    const parsed: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (!Array.isArray(parsed)) throw new Error(`CRAWLER_CHANNELS_JSON: ${file} is no list`);
    const list = parsed.map((entry) => readEntry(entry, file));
    if (!list.some(({ id }) => id === DEFAULT_CHANNEL))
      throw new Error(`CRAWLER_CHANNELS_JSON: ${file} has no channel "${DEFAULT_CHANNEL}"`);
    return new ChannelCatalog(list, crawls.imagePullPolicy);
  }

  find(id: string): CrawlerChannelEntry | null {
    return this.list.find((channel) => channel.id === id) ?? null;
  }

  /** The channel of a stored workflow. A channel that has been removed is replaced by `default`. */
  resolve(id: string | null | undefined): { id: string; image: string; imagePullPolicy: string } {
    const channel = this.find(id ?? DEFAULT_CHANNEL) ?? (this.find(DEFAULT_CHANNEL) as CrawlerChannelEntry);
    return { ...channel, imagePullPolicy: channel.imagePullPolicy ?? this.defaultPullPolicy };
  }
}
