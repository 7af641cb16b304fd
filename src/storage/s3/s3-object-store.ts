import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';

import { AddressPolicy } from '../../../formats/address/address-policy.js';
import { assertPermitted, checkedLookup } from '../../../formats/address/resolve.js';
import { SystemClock } from '../../common/clock/clock.js';
import { seconds } from '../../common/units/durations.js';

import { rangeHeader } from '../byte-range.js';
import { contentTypeOf } from '../content-type.js';
import {
  type GetOptions,
  type ListOptions,
  type ObjectBody,
  type ObjectHead,
  type ObjectList,
  ObjectStore,
  type PresignOptions,
} from '../object-store.js';
import type { PutOptions } from '../put-options.js';
import type { SigningScope } from '../signed-url.js';
import { encodePath, type PresignedRequest, UrlSigner } from '../sigv4.js';
import { ObjectNotFound, StorageDenied, StorageUnavailable } from '../storage.errors.js';
import { exactly } from './exactly.js';
import { toStorageError } from './s3-errors.js';
import { parseEndpoint, type PresignBase, presignBase, type S3Location, type S3StorageConfig } from './s3-location.js';
import { MultipartUpload } from './s3-multipart.js';
import { UnfinishedUploads } from './s3-unfinished.js';
import { PartCollector, partBytes } from './s3-parts.js';
import { isStreamable, openingOf, putBytes, putStreamed, type StreamedPut } from './s3-streamed-put.js';

export interface S3Timeouts {
  readonly connectMs: number;
  /**
   * Time for the answer to one request. A request that carries a part, or a body larger than a part, may take longer:
   * for it only bytes must move.
   */
  readonly requestMs: number;
  /** Time that a connection may be silent. */
  readonly idleMs: number;
  /**
   * A body of known size whose first part takes longer than this to arrive has a slow sender. That sender may pause for
   * longer than a server waits (20 s at Amazon). So the parts of the body are collected before they are sent.
   */
  readonly firstPartMs: number;
}

/** @param requestSeconds time for one request; connecting and silence get no more than that */
export const timeoutsOf = (requestSeconds: number): S3Timeouts => ({
  connectMs: Math.min(seconds(5), seconds(requestSeconds)),
  requestMs: seconds(requestSeconds),
  idleMs: Math.min(seconds(30), seconds(requestSeconds)),
  firstPartMs: seconds(2),
});

/** Servers compare signatures with the world's time, as the SDK's requests have it, whatever clock the app has. */
const SERVER_TIME = new SystemClock();
/** Lifetime of URLs for requests that are begun at once: servers look at the signature before the body. */
const PUT_SECONDS = 900;

type Sdk = typeof import('@aws-sdk/client-s3');

/** Objects in a bucket of any S3 server. The store addresses it in path style and presigns by itself. */
export class S3ObjectStore extends ObjectStore {
  /**
   * The end of a connection reaches the server through whatever lies between, and some servers (versitygw is one) take
   * it for the end of the body.
   */
  override readonly mayStoreLate = true;
  private readonly location: S3Location;
  private readonly signer: UrlSigner;
  private readonly bases: Record<'public' | 'internal', PresignBase>;
  private readonly agents: { httpAgent: HttpAgent; httpsAgent: HttpsAgent };
  private connection: Promise<{ sdk: Sdk; client: S3Client }> | undefined;

  constructor(
    private readonly config: S3StorageConfig,
    private readonly timeouts: S3Timeouts = timeoutsOf(120),
    /** Addresses where the server may be. They are narrower for storages that users name. */
    private readonly addresses = AddressPolicy.open,
  ) {
    super();
    this.agents = agentsFor(addresses);
    this.location = parseEndpoint(config.endpointUrl);
    this.signer = new UrlSigner(config);
    this.bases = { public: presignBase(config, 'public'), internal: presignBase(config, 'internal') };
  }

  /** What the store's public URLs are signed for. With it this service answers for an access endpoint of its own. */
  get scope(): SigningScope {
    return { signer: this.signer, host: this.bases.public.host, pathPrefix: this.bases.public.path };
  }

  presignGet(key: string, { signedAt, expiresInSeconds, audience = 'public' }: PresignOptions): string {
    const { host, path, urlBase } = this.bases[audience];
    const query = this.signer.query({ host, path: `${path}${key}`, signedAt, expiresInSeconds });
    return `${urlBase}${encodePath(key)}?${query}`;
  }

  async ping(): Promise<void> {
    const { sdk, client } = await this.connect();
    await this.call('', client.send(new sdk.HeadBucketCommand({ Bucket: this.location.bucket })));
  }

  /** Closes idle connections; the store can be used again. */
  async close(): Promise<void> {
    const connection = this.connection;
    this.connection = undefined;
    (await connection)?.client.destroy();
    this.agents.httpAgent.destroy();
    this.agents.httpsAgent.destroy();
  }

  protected async write(key: string, chunks: AsyncIterable<Buffer>, options: PutOptions): Promise<void> {
    const { sdk, client } = await this.connect();
    const target = {
      Bucket: this.location.bucket,
      Key: this.objectKey(key),
      ContentType: options.contentType ?? contentTypeOf(key),
    };
    const call = <T>(pending: Promise<T>): Promise<T> => this.call(key, pending, options.signal);
    const { signal, exactSize } = options;
    let body = chunks;
    if (isStreamable(exactSize)) {
      const { tookMs, whole } = await openingOf(chunks);
      if (tookMs <= this.timeouts.firstPartMs) {
        const put = { ...this.directPut(key), contentType: target.ContentType, size: exactSize, signal };
        await putStreamed(put, whole);
        return;
      }
      body = whole;
    }
    const sizeOf = (number: number): number => partBytes(number, exactSize ?? options.sizeHint);
    const parts = new PartCollector(body, sizeOf, exactSize);
    try {
      const first = await parts.next();
      if (await parts.hasMore()) {
        const putPart = (part: { uploadId: string; partNumber: number }, bytes: Buffer[]): Promise<string> =>
          putBytes({ ...this.directPut(key, part), signal }, bytes);
        await new MultipartUpload(sdk, client, target, call, putPart).run(first, parts, signal);
      } else {
        const put = new sdk.PutObjectCommand({ ...target, Body: first[0] });
        await call(client.send(put, { abortSignal: signal }));
      }
      parts.recycle();
    } catch (error) {
      await parts.leave();
      throw error;
    }
  }

  /** What a PUT without the SDK needs. The SDK would read a body to sign it, and keep all of it. */
  private directPut(
    key: string,
    part?: PresignedRequest['part'],
  ): Pick<StreamedPut, 'key' | 'url' | 'agent' | 'timeouts'> {
    const { host, path, urlBase } = this.bases.internal;
    const url = (): string => {
      const request = { host, path: `${path}${key}`, signedAt: SERVER_TIME.now(), expiresInSeconds: PUT_SECONDS };
      return `${urlBase}${encodePath(key)}?${this.signer.query({ ...request, method: 'PUT', part })}`;
    };
    const { timeouts, agents } = this;
    const agent = this.location.origin.startsWith('https:') ? agents.httpsAgent : agents.httpAgent;
    return { key, url, agent, timeouts };
  }

  protected async stat(key: string): Promise<ObjectHead | null> {
    const { sdk, client } = await this.connect();
    try {
      const head = await this.call(key, client.send(new sdk.HeadObjectCommand(this.address(key))));
      return describe(key, { ...head, size: head.ContentLength ?? 0 });
    } catch (error) {
      if (error instanceof ObjectNotFound) return null;
      throw error;
    }
  }

  protected async open(key: string, { range, signal }: GetOptions): Promise<ObjectBody> {
    const { sdk, client } = await this.connect();
    const command = new sdk.GetObjectCommand({ ...this.address(key), Range: range && rangeHeader(range) });
    const answer = await this.call(key, client.send(command, { abortSignal: signal }), signal);
    const body = answer.Body as Readable;
    const length = answer.ContentLength ?? 0;
    const part = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(answer.ContentRange ?? '');
    const start = part ? Number(part[1]) : 0;
    if (range && (!part || ('start' in range && start !== range.start))) {
      body.destroy();
      throw new StorageUnavailable(`the object storage did not honour the range of ${key}`);
    }
    const head = describe(key, { ...answer, size: part ? Number(part[3]) : length });
    return { ...head, start, length, body: exactly(body, length, key, signal) };
  }

  protected async remove(key: string): Promise<void> {
    const { sdk, client } = await this.connect();
    try {
      const answer = await this.call(key, client.send(new sdk.DeleteObjectCommand(this.address(key))));
      // Contract: archive.md §2.2, "Delete succeeds only on HTTP 204".
      const status = answer.$metadata.httpStatusCode;
      if (status !== 204) throw new StorageUnavailable(`the object storage answered ${status} to a delete`);
    } catch (error) {
      if (!(error instanceof ObjectNotFound)) throw error;
    }
  }

  override async sweep(before: Date, isAbandoned: (key: string) => Promise<boolean>): Promise<string[]> {
    const base = this.location.prefix;
    const found = await this.unfinished();
    return found.end(base, ({ Key, began }) => began < before && isAbandoned(Key.slice(base.length)));
  }

  protected override async removeUnfinished(key: string): Promise<void> {
    const found = await this.unfinished();
    await found.end(this.objectKey(key), ({ Key }) => Key === this.objectKey(key));
  }

  private async unfinished(): Promise<UnfinishedUploads> {
    const { sdk, client } = await this.connect();
    return new UnfinishedUploads(sdk, client, this.location.bucket, (call) => this.call('', call));
  }

  protected async page(prefix: string, options: ListOptions & { limit: number }): Promise<ObjectList> {
    const { sdk, client } = await this.connect();
    const base = this.location.prefix;
    const answer = await this.call(
      prefix,
      client.send(
        new sdk.ListObjectsV2Command({
          Bucket: this.location.bucket,
          Prefix: `${base}${prefix}`,
          StartAfter: options.after === undefined ? undefined : `${base}${options.after}`,
          MaxKeys: options.limit,
        }),
      ),
    );
    const objects = (answer.Contents ?? []).map(({ Key = '', Size = 0, LastModified }) => ({
      key: Key.slice(base.length),
      size: Size,
      lastModified: LastModified ?? new Date(0),
    }));
    return { objects, next: answer.IsTruncated ? (objects.at(-1)?.key ?? null) : null };
  }

  private address(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.location.bucket, Key: this.objectKey(key) };
  }

  private objectKey(key: string): string {
    return `${this.location.prefix}${key}`;
  }

  private async call<T>(key: string, call: Promise<T>, signal?: AbortSignal): Promise<T> {
    try {
      return await call;
    } catch (error) {
      signal?.throwIfAborted();
      throw toStorageError(key, error);
    }
  }

  /** The SDK is loaded on first use, so a deployment that keeps objects on disk never pays for it. */
  private connect(): Promise<{ sdk: Sdk; client: S3Client }> {
    this.connection ??= this.createConnection();
    return this.connection;
  }

  private assertPermitted(): void {
    try {
      assertPermitted(new URL(this.location.origin).hostname, this.addresses);
    } catch (error) {
      this.connection = undefined;
      throw new StorageDenied('the storage has a private address', { cause: error });
    }
  }

  private async createConnection(): Promise<{ sdk: Sdk; client: S3Client }> {
    const sdk = await import('@aws-sdk/client-s3');
    this.assertPermitted();
    const { connectMs, requestMs, idleMs } = this.timeouts;
    const client = new sdk.S3Client({
      endpoint: this.location.origin,
      region: this.config.region,
      forcePathStyle: true,
      credentials: { accessKeyId: this.config.accessKey, secretAccessKey: this.config.secretKey },
      // Contract: archive.md §2.2: older gateways reject trailing checksums.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: connectMs,
        requestTimeout: requestMs,
        throwOnRequestTimeout: true,
        socketTimeout: idleMs,
        ...this.agents,
      },
      // The SDK's own log is off, because its lines may carry request details.
      logger: { trace: noop, debug: noop, info: noop, warn: noop, error: noop },
    });
    return { sdk, client };
  }
}

/** Agents whose connections go to the very address that was checked when the name was resolved. */
function agentsFor(addresses: AddressPolicy): { httpAgent: HttpAgent; httpsAgent: HttpsAgent } {
  const options = { keepAlive: true, maxSockets: 50, lookup: checkedLookup(addresses) };
  return { httpAgent: new HttpAgent(options), httpsAgent: new HttpsAgent(options) };
}

function describe(key: string, answer: HeadAnswer): ObjectHead {
  if (!answer.ETag) throw new StorageDenied(`the object storage gives no ETag for ${key}`);
  return {
    size: answer.size,
    etag: answer.ETag,
    contentType: answer.ContentType || contentTypeOf(key),
    lastModified: answer.LastModified ?? new Date(0),
  };
}

interface HeadAnswer {
  readonly size: number;
  readonly ETag?: string;
  readonly ContentType?: string;
  readonly LastModified?: Date;
}

function noop(): void {
  // The function does nothing on purpose; see the client's logger.
}
