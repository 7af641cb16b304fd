import type { CompletedPart, S3Client } from '@aws-sdk/client-s3';

import { MAX_PARTS } from './s3-parts.js';
import { StorageUnavailable } from '../storage.errors.js';

type Sdk = typeof import('@aws-sdk/client-s3');

/** Parts in flight: one travels while the next is collected; more would only cost memory. */
const CONCURRENCY = 2;

/** One multipart upload, completed or aborted: nothing of a failed one stays in the bucket. */
export class MultipartUpload {
  constructor(
    private readonly sdk: Sdk,
    private readonly client: S3Client,
    private readonly target: { Bucket: string; Key: string; ContentType: string },
    /** Awaits an SDK call and translates its failure. */
    private readonly call: <T>(pending: Promise<T>) => Promise<T>,
  ) {}

  async run(parts: AsyncIterable<Buffer>, signal?: AbortSignal): Promise<void> {
    const { Bucket, Key } = this.target;
    const create = new this.sdk.CreateMultipartUploadCommand(this.target);
    const { UploadId } = await this.call(this.client.send(create, { abortSignal: signal }));
    if (!UploadId) throw new StorageUnavailable('the object storage gave no upload id');
    try {
      const done = await this.sendParts(parts, UploadId, signal);
      const complete = new this.sdk.CompleteMultipartUploadCommand({
        Bucket,
        Key,
        UploadId,
        MultipartUpload: { Parts: done.sort((a, b) => (a.PartNumber ?? 0) - (b.PartNumber ?? 0)) },
      });
      await this.call(this.client.send(complete, { abortSignal: signal }));
    } catch (error) {
      await this.abort(UploadId);
      throw error;
    }
  }

  private async sendParts(
    parts: AsyncIterable<Buffer>,
    UploadId: string,
    signal?: AbortSignal,
  ): Promise<CompletedPart[]> {
    const done: CompletedPart[] = [];
    const inFlight = new Set<Promise<void>>();
    // A part may fail while nobody waits for it: the next one is being collected.
    const failures: unknown[] = [];
    let PartNumber = 0;
    try {
      for await (const Body of parts) {
        PartNumber += 1;
        if (PartNumber > MAX_PARTS) throw new StorageUnavailable(`more than ${MAX_PARTS} parts`);
        const sent: Promise<void> = this.sendPart({ UploadId, PartNumber, Body }, signal, done)
          .catch((error: unknown) => void failures.push(error))
          .finally(() => inFlight.delete(sent));
        inFlight.add(sent);
        if (inFlight.size >= CONCURRENCY) await Promise.race(inFlight);
        if (failures.length > 0) throw failures[0] as Error;
      }
      await Promise.all(inFlight);
      if (failures.length > 0) throw failures[0] as Error;
    } catch (error) {
      // A part that still travels when the upload is aborted may stay: S3 promises nothing about it.
      await Promise.all(inFlight);
      throw error;
    }
    return done;
  }

  private async sendPart(
    part: { UploadId: string; PartNumber: number; Body: Buffer },
    abortSignal: AbortSignal | undefined,
    done: CompletedPart[],
  ): Promise<void> {
    const { Bucket, Key } = this.target;
    const command = new this.sdk.UploadPartCommand({ Bucket, Key, ...part });
    const { ETag } = await this.call(this.client.send(command, { abortSignal }));
    done.push({ ETag, PartNumber: part.PartNumber });
  }

  /** Best effort: the failure that led here matters more, and buckets expire forgotten uploads by lifecycle rule. */
  private async abort(UploadId: string): Promise<void> {
    const { Bucket, Key } = this.target;
    await this.client.send(new this.sdk.AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch(() => undefined);
  }
}
