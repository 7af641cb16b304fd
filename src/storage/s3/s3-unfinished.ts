import type { ListMultipartUploadsCommandOutput, S3Client } from '@aws-sdk/client-s3';

import { ObjectNotFound } from '../storage.errors.js';

type Sdk = typeof import('@aws-sdk/client-s3');

export interface UnfinishedUpload {
  readonly Key: string;
  readonly UploadId: string;
  readonly began: Date;
}

/** Multipart uploads that were not completed. Their parts take space, and no list of objects shows them. */
export class UnfinishedUploads {
  constructor(
    private readonly sdk: Sdk,
    private readonly client: S3Client,
    private readonly bucket: string,
    /** Awaits an SDK call and translates its failure. */
    private readonly call: <T>(pending: Promise<T>) => Promise<T>,
  ) {}

  /** Ends the uploads under a prefix that `isMeant` picks. @returns the part of their keys behind the prefix */
  async end(prefix: string, isMeant: (upload: UnfinishedUpload) => boolean | Promise<boolean>): Promise<string[]> {
    const ended: string[] = [];
    for await (const upload of this.list(prefix)) {
      if (!(await isMeant(upload))) continue;
      await this.abort(upload);
      ended.push(upload.Key.slice(prefix.length));
    }
    return ended;
  }

  private async *list(Prefix: string): AsyncGenerator<UnfinishedUpload> {
    let [KeyMarker, UploadIdMarker]: (string | undefined)[] = [];
    do {
      const page = { Bucket: this.bucket, Prefix, KeyMarker, UploadIdMarker };
      const answer: ListMultipartUploadsCommandOutput = await this.call(
        this.client.send(new this.sdk.ListMultipartUploadsCommand(page)),
      );
      for (const { Key, UploadId, Initiated } of answer.Uploads ?? [])
        if (Key && UploadId) yield { Key, UploadId, began: Initiated ?? new Date(0) };
      KeyMarker = answer.IsTruncated ? answer.NextKeyMarker : undefined;
      UploadIdMarker = answer.NextUploadIdMarker;
    } while (KeyMarker);
  }

  private async abort({ Key, UploadId }: UnfinishedUpload): Promise<void> {
    const command = new this.sdk.AbortMultipartUploadCommand({ Bucket: this.bucket, Key, UploadId });
    await this.call(this.client.send(command)).catch((error: unknown) => {
      if (!(error instanceof ObjectNotFound)) throw error; // The upload was ended meanwhile.
    });
  }
}
