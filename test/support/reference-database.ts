import { createHash } from 'node:crypto';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { Connection } from 'mongoose';
import { uuid } from '../../src/database/uuid-codec.js';
import * as crawling from './reference-crawls.js';
import * as made from './reference-documents.js';
import { CRAWL_PAGES, LATER, LEGACY_PAGES, REFERENCE as R, STORAGE, UPLOAD_PAGES } from './reference-documents.js';
import type { S3Server } from './s3-server.js';
import { waczOf } from './zip.js';

/** The object under each key of the bucket. */
export type Bucket = ReadonlyMap<string, Buffer>;

/**
 * Fills an empty database and a bucket as Browsertrix 1.24 leaves them: documents and indexes of
 * crawling §3, archive §14 and accounts §15, each document with a field that nobody here knows.
 */
export async function fillReference(connection: Connection, s3: S3Server): Promise<Bucket> {
  const bucket = new Map([
    [`${R.oid}/20250301100500123-5b6b6a0e-2f5-0.wacz`, await waczOf(CRAWL_PAGES)],
    [`${R.oid}/20230301100500123-5b6b6a0e-0.wacz`, await waczOf(LEGACY_PAGES)],
    [`${R.oid}/uploads/my-archive-0123456789ab.wacz`, await waczOf(UPLOAD_PAGES)],
    [`${R.oid}/profiles/profile-${R.profile}.tar.gz`, Buffer.from('a browser profile')],
    [`${R.oid}/seeds-0123456789ab.txt`, Buffer.from('https://listed.example/\n')],
  ]);
  await upload(s3, bucket);
  const files = [...bucket].map(([filename, bytes]) => ({
    filename,
    hash: createHash('sha256').update(bytes).digest('hex'),
    size: bytes.length,
    storage: STORAGE,
    replicas: [],
  }));
  const put = async (name: string, ...docs: object[]): Promise<void> => {
    await connection.collection(name).insertMany(docs.map((doc) => ({ later: LATER, ...doc })) as never[]);
  };
  await connection.collection('version').insertOne({ version: '0058' });
  await put('users', ...(await made.users()));
  await put('organizations', made.org(files));
  await put('crawl_configs', crawling.workflow(files[0]!.size + files[1]!.size));
  await put('configs_revs', { ...crawling.revision(), _id: uuid('7f0f3c52-68f8-4d35-9a52-6f4a7bb1a111') });
  await put('crawls', ...crawling.items(files));
  await put('pages', ...crawling.pages());
  await put('crawl_logs', crawling.logLine());
  await put('collections', made.collection(files));
  await put('profiles', made.profile(files[3]!));
  await put('file_uploads', made.seedFile(files[4]!));
  await put('jobs', made.job());
  await put('webhooks', made.notification());
  await put('presigned_urls', made.presigned(files[0]!.filename));
  await indexes(connection);
  return bucket;
}

async function upload({ url, bucket, accessKey, secretKey }: S3Server, objects: Bucket): Promise<void> {
  const credentials = { accessKeyId: accessKey, secretAccessKey: secretKey };
  const client = new S3Client({ endpoint: url, region: 'us-east-1', forcePathStyle: true, credentials });
  for (const [Key, Body] of objects) await client.send(new PutObjectCommand({ Bucket: bucket, Key, Body }));
  client.destroy();
}

/** Those that Browsertrix has made, with names and options as its driver gives them. */
async function indexes(connection: Connection): Promise<void> {
  const collated = { collation: { locale: 'en', strength: 1 } };
  const make = async (name: string, ...specs: [keys: Record<string, string | number>, options?: object][]) => {
    for (const [keys, options] of specs) await connection.collection(name).createIndex(keys as never, options);
  };
  const hashed = (...fields: string[]): [Record<string, string>][] => fields.map((field) => [{ [field]: 'hashed' }]);
  const typed = ['finished', 'oid', 'cid', 'state', 'fileSize'].map((field): [Record<string, string | number>] => [
    { type: 'hashed', [field]: -1 },
  ]);
  await make(
    'users',
    [{ id: 1 }, { unique: true }],
    [{ email: 1 }, { unique: true }],
    [{ email: 1 }, { name: 'case_insensitive_email_index', collation: { locale: 'en', strength: 2 } }],
  );
  await make(
    'organizations',
    [{ name: 1 }, { unique: true, ...collated }],
    [{ slug: 1 }, { unique: true, ...collated }],
    [{ 'subscription.subId': 1 }, { unique: true, sparse: true }],
  );
  await make('invites', [{ created: 1 }, { expireAfterSeconds: 604_800 }]);
  await make('logins', [{ attempted: 1 }, { expireAfterSeconds: 3_600 }]);
  await make(
    'crawl_configs',
    [{ oid: 'hashed', inactive: 1 }],
    ...['tags', 'name', 'firstSeed'].map((field): [Record<string, number>, object] => [
      { oid: 1, [field]: 1 },
      collated,
    ]),
    [{ oid: 1, inactive: 1, profileid: 1 }],
    [{ lastRun: -1, modified: -1 }],
    [{ name: 1, firstSeed: 1 }],
  );
  await make('configs_revs', [{ cid: 'hashed' }], [{ cid: 'hashed', rev: 1 }]);
  await make('crawls', ...hashed('type', 'oid', 'cid', 'state'), ...typed, [{ finished: -1 }], [{ fileSize: -1 }]);
  await make('crawls', [{ state: 1, oid: 1, started: 1 }], [{ oid: 'hashed', state: -1 }]);
  await make('pages', ...hashed('crawl_id'), [{ crawl_id: 'hashed', isSeed: -1, ts: 1 }]);
  await make('pages', [{ crawl_id: 'hashed', url: 1 }], [{ title: 'text' }]);
  await make(
    'crawl_logs',
    ...['timestamp', 'logLevel', 'context', 'message'].map((field): [Record<string, string | number>] => [
      { crawlId: 'hashed', oid: 1, qaRunId: 1, [field]: 1 },
    ]),
  );
  await make('collections', [
    { oid: 1, name: 1 },
    { unique: true, ...collated },
  ]);
  await make(
    'collections',
    [
      { oid: 1, slug: 1 },
      { unique: true, ...collated },
    ],
    [{ oid: 1, description: 1 }],
  );
  await make('profiles', [{ oid: 1, name: 1 }, collated], [{ oid: 1, url: 1 }, collated], [{ oid: 1, created: 1 }]);
  await make('profiles', [{ oid: 1, modified: 1 }]);
  await make('file_uploads', ...hashed('oid'));
  await make('presigned_urls', [{ signedAt: 1 }, { expireAfterSeconds: 453_555 }]);
}
