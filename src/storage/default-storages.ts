import { readFileSync } from 'node:fs';

import { slugify } from '../common/text/slug.js';
import { withTrailingSlash } from '../common/text/trailing-slash.js';
import { type AddressingStyle, parseEndpoint, type S3StorageConfig } from './s3/s3-location.js';
import { BUILT_IN_STORAGE, type StorageRef } from './storage-ref.js';

/** One entry of the file that STORAGES_JSON names. Contract: archive.md §2.1. */
interface StorageEntry {
  readonly name?: unknown;
  readonly type?: unknown;
  readonly access_key?: unknown;
  readonly secret_key?: unknown;
  readonly endpoint_url?: unknown;
  readonly bucket_name?: unknown;
  readonly access_endpoint_url?: unknown;
  readonly access_addressing_style?: unknown;
  readonly region?: unknown;
  readonly is_default_primary?: unknown;
  readonly is_default_replica?: unknown;
}

/** The storages that the deployment offers to every org. */
export class DefaultStorages {
  private constructor(
    /** The storages by name; null stands for the built-in one on the local disk. */
    readonly byName: ReadonlyMap<string, S3StorageConfig | null>,
    /** The storage that new orgs get. */
    readonly primary: StorageRef,
    /** Targets of replication for orgs that name none themselves. */
    readonly replicas: readonly StorageRef[],
  ) {}

  /**
   * Reads the file of STORAGES_JSON; without one there is the built-in local storage.
   * @param pathAddressedEndpoint access endpoint that is addressed by path whatever the entry says
   * @throws Error that names every problem, for start-up to print
   */
  static load(storagesFile: string, pathAddressedEndpoint: string): DefaultStorages {
    if (storagesFile === '') {
      const local = { name: BUILT_IN_STORAGE, custom: false };
      return new DefaultStorages(new Map([[BUILT_IN_STORAGE, null]]), local, []);
    }
    let entries: unknown;
    try {
      entries = JSON.parse(readFileSync(storagesFile, 'utf8'));
    } catch (error) {
      throw new Error(`STORAGES_JSON: ${storagesFile} cannot be read as JSON`, { cause: error });
    }
    return DefaultStorages.parse(entries, pathAddressedEndpoint);
  }

  /** Reads the default storages from the file's content. */
  static parse(entries: unknown, pathAddressedEndpoint: string): DefaultStorages {
    const problems: string[] = [];
    const storages = new Map<string, S3StorageConfig>();
    const primaries: StorageRef[] = [];
    const replicas: StorageRef[] = [];
    for (const [index, entry] of (Array.isArray(entries) ? (entries as StorageEntry[]) : []).entries()) {
      try {
        const name = slugify(text(entry, 'name'));
        if (storages.has(name)) throw new Error(`a second storage named ${name}`);
        storages.set(name, toConfig(entry, pathAddressedEndpoint));
        if (entry.is_default_primary === true) primaries.push({ name, custom: false });
        if (entry.is_default_replica === true) replicas.push({ name, custom: false });
      } catch (error) {
        problems.push(`entry ${index}: ${(error as Error).message}`);
      }
    }
    if (primaries.length > 1) problems.push('more than one storage is_default_primary');
    if (problems.length === 0 && storages.size === 0) problems.push('no storage');
    if (primaries.length === 0 && storages.size > 1) problems.push('several storages and none is_default_primary');
    if (problems.length > 0) throw new Error(`STORAGES_JSON: ${problems.join('; ')}`);
    const primary = primaries[0] ?? { name: [...storages.keys()][0] ?? '', custom: false };
    return new DefaultStorages(storages, primary, replicas);
  }
}

function toConfig(entry: StorageEntry, pathAddressedEndpoint: string): S3StorageConfig {
  if ((entry.type ?? 's3') !== 's3') throw new Error('type is not s3');
  const given = withTrailingSlash(text(entry, 'endpoint_url'));
  const bucket = optional(entry, 'bucket_name');
  const endpointUrl = bucket ? `${given}${bucket}/` : given;
  parseEndpoint(endpointUrl);
  const accessEndpointUrl = optional(entry, 'access_endpoint_url') ?? endpointUrl;
  return {
    endpointUrl,
    accessEndpointUrl,
    accessAddressingStyle: accessEndpointUrl === pathAddressedEndpoint ? 'path' : addressing(entry),
    accessKey: text(entry, 'access_key'),
    secretKey: text(entry, 'secret_key'),
    region: optional(entry, 'region') ?? 'us-east-1',
  };
}

function addressing(entry: StorageEntry): AddressingStyle {
  const style = optional(entry, 'access_addressing_style') ?? 'virtual';
  if (style !== 'virtual' && style !== 'path') throw new Error('access_addressing_style is neither virtual nor path');
  return style;
}

function text(entry: StorageEntry, field: keyof StorageEntry): string {
  const value = optional(entry, field);
  if (value === undefined) throw new Error(`${field} is missing`);
  return value;
}

/** Reads an optional field; absent, null and empty mean the same. */
function optional(entry: StorageEntry, field: keyof StorageEntry): string | undefined {
  const value = (entry as StorageEntry | null)?.[field];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') throw new Error(`${field} is not a string`);
  return value;
}
