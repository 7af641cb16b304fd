import { createHash, createHmac } from 'node:crypto';

/** SigV4 refuses longer lifetimes (Amazon S3 API reference, "Authenticating requests: query parameters"). */
export const MAX_PRESIGN_SECONDS = 604_800;
const ALGORITHM = 'AWS4-HMAC-SHA256';
/**
 * Days whose keys are cached. Keys change once a day, URLs of a window may be signed for yesterday, and clocks differ.
 */
const CACHED_DAYS = 8;

export interface SigningIdentity {
  readonly accessKey: string;
  readonly secretKey: string;
  readonly region: string;
}

export interface PresignedRequest {
  /** Default `GET`. */
  readonly method?: 'GET' | 'PUT';
  /** The part of a multipart upload that a `PUT` sends. */
  readonly part?: { uploadId: string; partNumber: number };
  /** Host header that the signature covers, with port unless it is the scheme's default. */
  readonly host: string;
  /** The path is absolute and not yet percent-encoded. */
  readonly path: string;
  readonly signedAt: Date;
  /** 1 to `MAX_PRESIGN_SECONDS`. */
  readonly expiresInSeconds: number;
}

/**
 * Makes presigned URLs by AWS Signature Version 4 in the query. They are byte for byte what
 * `@aws-sdk/s3-request-presigner` makes (sigv4.spec.ts compares). This signer is synchronous and caches the day's key,
 * because lists sign thousands of files.
 */
export class UrlSigner {
  private readonly dayKeys = new Map<string, Buffer>();

  constructor(private readonly identity: SigningIdentity) {}

  /** The whole query string, without `?`. */
  query(request: PresignedRequest): string {
    const unsigned = this.unsignedQuery(request);
    const signature = this.sign(request, unsigned);
    return unsigned.replace('&X-Amz-SignedHeaders=', `&X-Amz-Signature=${signature}&X-Amz-SignedHeaders=`);
  }

  /** The signature alone, lower-case hex. */
  signature(request: PresignedRequest): string {
    return this.sign(request, this.unsignedQuery(request));
  }

  /** `<access key>/<day>/<region>/s3/aws4_request`. */
  credential(signedAt: Date): string {
    return `${this.identity.accessKey}/${this.scope(signedAt)}`;
  }

  private sign({ method = 'GET', host, path, signedAt }: PresignedRequest, unsignedQuery: string): string {
    const canonical = `${method}\n${encodePath(path)}\n${unsignedQuery}\nhost:${host}\n\nhost\nUNSIGNED-PAYLOAD`;
    const digest = createHash('sha256').update(canonical).digest('hex');
    const toSign = `${ALGORITHM}\n${amzDate(signedAt)}\n${this.scope(signedAt)}\n${digest}`;
    return createHmac('sha256', this.dayKey(signedAt)).update(toSign).digest('hex');
  }

  /** Encoded parameters in canonical (alphabetical) order. */
  private unsignedQuery({ method = 'GET', part, signedAt, expiresInSeconds }: PresignedRequest): string {
    const operation = part ? 'UploadPart' : method === 'GET' ? 'GetObject' : 'PutObject';
    return [
      `X-Amz-Algorithm=${ALGORITHM}`,
      'X-Amz-Content-Sha256=UNSIGNED-PAYLOAD',
      `X-Amz-Credential=${encodeRfc3986(this.credential(signedAt))}`,
      `X-Amz-Date=${amzDate(signedAt)}`,
      `X-Amz-Expires=${expiresInSeconds}`,
      'X-Amz-SignedHeaders=host',
      ...(part ? [`partNumber=${part.partNumber}`, `uploadId=${encodeRfc3986(part.uploadId)}`] : []),
      `x-id=${operation}`,
    ].join('&');
  }

  private scope(signedAt: Date): string {
    return `${amzDate(signedAt).slice(0, 8)}/${this.identity.region}/s3/aws4_request`;
  }

  private dayKey(signedAt: Date): Buffer {
    const day = amzDate(signedAt).slice(0, 8);
    const cached = this.dayKeys.get(day);
    if (cached) return cached;
    const parts = [day, this.identity.region, 's3', 'aws4_request'];
    const key = parts.reduce<string | Buffer>(
      (k, part) => createHmac('sha256', k).update(part).digest(),
      `AWS4${this.identity.secretKey}`,
    ) as Buffer;
    if (this.dayKeys.size >= CACHED_DAYS) this.dayKeys.clear();
    this.dayKeys.set(day, key);
    return key;
  }
}

/** `20250102T030405Z`. */
export function amzDate(moment: Date): string {
  return moment
    .toISOString()
    .replace(/\.\d{3}/, '')
    .replace(/[-:]/g, '');
}

/** Every segment is encoded once and slashes are kept. That is S3's rule, unlike SigV4 for other services. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeRfc3986).join('/');
}

/** Everything but RFC 3986 unreserved characters percent-encoded. */
export function encodeRfc3986(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}
