import { withTrailingSlash } from '../../common/text/trailing-slash.js';
import { encodePath } from '../sigv4.js';

/** How clients address a bucket: `bucket.host/key` or `host/bucket/key`. */
export type AddressingStyle = 'virtual' | 'path';

export interface S3StorageConfig {
  /** `https://host/bucket/prefix/`: the first path segment is the bucket, the rest is a prefix of every key. */
  readonly endpointUrl: string;
  /** What clients are given instead of `endpointUrl`: an absolute URL, or a path such as `/data/`. */
  readonly accessEndpointUrl: string;
  /**
   * Addressing that the access endpoint expects. It only matters when the access endpoint differs from `endpointUrl`.
   */
  readonly accessAddressingStyle: AddressingStyle;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly region: string;
}

export interface S3Location {
  /** `scheme://host[:port]`. */
  readonly origin: string;
  /** Host with port unless it is the scheme's default, as in a Host header. */
  readonly host: string;
  readonly bucket: string;
  /** The prefix is empty or ends in `/`. It is prepended to every key. */
  readonly prefix: string;
}

/** @throws Error when the URL names no bucket, is not http(s), or has parts that belong to no address of a store */
export function parseEndpoint(endpointUrl: string): S3Location {
  const url = new URL(endpointUrl);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Error(`not an http(s) endpoint: ${url.origin}`);
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '')
    throw new Error(`the endpoint at ${url.origin} has a query, a fragment or a login`);
  const [bucket = '', ...rest] = decodeURIComponent(url.pathname)
    .split('/')
    .filter((segment) => segment !== '');
  if (bucket === '') throw new Error(`endpoint ${url.origin} names no bucket`);
  return { origin: url.origin, host: url.host, bucket, prefix: rest.map((segment) => `${segment}/`).join('') };
}

/** Parts of a presigned URL: the host and path that the signature covers, and the text put before the key. */
export interface PresignBase {
  readonly host: string;
  /** Absolute path that the key is appended to for signing. */
  readonly path: string;
  /** What the encoded key is appended to in the URL handed out. */
  readonly urlBase: string;
}

/**
 * A storage without an access endpoint of its own is presigned in path style. A storage with one is presigned in the
 * configured style, and its address is replaced: the proxy there restores the host that was signed. Contract:
 * archive.md §2.2, §2.4.
 */
export function presignBase(config: S3StorageConfig, audience: 'public' | 'internal'): PresignBase {
  const { origin, host, bucket, prefix } = parseEndpoint(config.endpointUrl);
  const access = withTrailingSlash(config.accessEndpointUrl);
  const rewritten = audience === 'public' && access !== withTrailingSlash(config.endpointUrl);
  if (rewritten && config.accessAddressingStyle === 'virtual') {
    return { host: `${bucket}.${host}`, path: `/${prefix}`, urlBase: access };
  }
  const path = `/${bucket}/${prefix}`;
  return { host, path, urlBase: rewritten ? access : `${origin}${encodePath(path)}` };
}
