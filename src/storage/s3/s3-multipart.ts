import type { CompletedPart, S3Client } from '@aws-sdk/client-s3';

import { MAX_PARTS, type PartCollector } from './s3-parts.js';
import { StorageUnavailable } from '../storage.errors.js';

type Sdk = typeof import('@aws-sdk/client-s3');

/** One multipart upload, completed or aborted. Nothing of a failed one stays in the bucket. */
export class MultipartUpload {
  constructor(
    private readonly sdk: Sdk,
    private readonly client: S3Client,
    private readonly target: { Bucket: string; Key: string; ContentType: string },
    /** Awaits an SDK call and translates its failure. */
    private readonly call: <T>(pending: Promise<T>) => Promise<T>,
    /** @returns the ETag */
    private readonly putPart: (part: { uploadId: string; partNumber: number }, bytes: Buffer[]) => Promise<string>,
  ) {}

  /** Uploads all parts. @param parts those behind the first */
  async run(first: Buffer[], parts: PartCollector, signal?: AbortSignal): Promise<void> {
    const { Bucket, Key } = this.target;
    const create = new this.sdk.CreateMultipartUploadCommand(this.target);
    const { UploadId } = await this.call(this.client.send(create, { abortSignal: signal }));
    if (!UploadId) throw new StorageUnavailable('the object storage gave no upload id');
    try {
      const Parts = await this.sendParts(first, parts, UploadId);
      const complete = new this.sdk.CompleteMultipartUploadCommand({
        Bucket,
        Key,
        UploadId,
        MultipartUpload: { Parts },
      });
      await this.call(this.client.send(complete, { abortSignal: signal }));
    } catch (error) {
      await this.abort(UploadId);
      throw error;
    }
  }

  /** Sends one part while the next is collected. More at once would only cost memory. */
  private async sendParts(first: Buffer[], parts: PartCollector, uploadId: string): Promise<CompletedPart[]> {
    const done: CompletedPart[] = [];
    let sending = Promise.resolve();
    try {
      for (let bytes = first; bytes[0]?.length; bytes = await parts.next(sending)) {
        await sending;
        const PartNumber = done.length + 1;
        if (PartNumber > MAX_PARTS) throw new StorageUnavailable(`more than ${MAX_PARTS} parts`);
        sending = this.putPart({ uploadId, partNumber: PartNumber }, bytes).then(
          (ETag) => void done.push({ ETag, PartNumber }),
        );
        // The part may fail while nobody waits for it.
        sending.catch(() => undefined);
      }
      await sending;
    } catch (error) {
      // A part that is still being sent when the upload is aborted may stay: S3 promises nothing about it.
      await sending.catch(() => undefined);
      throw error;
    }
    return done;
  }

  /**
   * The abort may fail silently: the failure that led here matters more, and buckets expire forgotten uploads by
   * lifecycle rule.
   */
  private async abort(UploadId: string): Promise<void> {
    const { Bucket, Key } = this.target;
    await this.client.send(new this.sdk.AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch(() => undefined);
  }
}
