import { createReadStream, createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';

export interface S3Target {
  /** Bucket URL ending in `/`; path-style (spec crawling §14.2, STORE_ENDPOINT_URL). */
  readonly endpointUrl: string;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly region: string;
  /** Prefix of every name (STORE_PATH). */
  readonly prefix: string;
}

/** Size of a part. Four parts at a time are held in memory. */
const PART_BYTES = 16 * 1024 * 1024;

/** The run's folder in the object store. */
export class S3Files {
  private readonly client: S3Client;
  private readonly bucket: string;
  private readonly folder: string;

  constructor(private readonly target: S3Target) {
    const url = new URL(target.endpointUrl);
    const [bucket = '', ...rest] = url.pathname.split('/').filter(Boolean);
    this.bucket = bucket;
    this.folder = rest.map((part) => `${part}/`).join('') + target.prefix;
    this.client = new S3Client({
      endpoint: url.origin,
      region: target.region,
      forcePathStyle: true,
      credentials: { accessKeyId: target.accessKey, secretAccessKey: target.secretKey },
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
  }

  /** @returns the object's full URL for file messages */
  async put(path: string, name: string, contentType: string): Promise<string> {
    const body = createReadStream(path, { highWaterMark: 1024 * 1024 });
    try {
      const params = { Bucket: this.bucket, Key: this.folder + name, Body: body, ContentType: contentType };
      await new Upload({ client: this.client, params, partSize: PART_BYTES, queueSize: 4 }).done();
    } finally {
      body.destroy();
    }
    return `${this.target.endpointUrl}${this.target.prefix}${name}`;
  }

  /** @throws the SDK's error when the object cannot be read */
  async get(name: string, path: string): Promise<void> {
    const { Body } = await this.client.send(new GetObjectCommand({ Bucket: this.bucket, Key: this.folder + name }));
    await pipeline(Body as Readable, createWriteStream(path, { mode: 0o600 }));
  }

  close(): void {
    this.client.destroy();
  }
}
