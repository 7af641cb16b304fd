/**
 * Creates the buckets that STORAGES_JSON names and that do not exist yet, and lets browsers read from them, which the
 * replay page does. Run once by docker-compose.yml.
 */
import { readFileSync } from 'node:fs';
import { CreateBucketCommand, HeadBucketCommand, PutBucketCorsCommand, S3Client } from '@aws-sdk/client-s3';

const file = process.env.STORAGES_JSON;
if (!file) throw new Error('STORAGES_JSON is not set.');

for (const storage of JSON.parse(readFileSync(file, 'utf8'))) {
  const { origin, pathname } = new URL(storage.endpoint_url);
  const bucket = storage.bucket_name ?? pathname.split('/')[1];
  const client = new S3Client({
    endpoint: origin,
    region: storage.region || 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: storage.access_key, secretAccessKey: storage.secret_key },
  });
  const created = await ensure(client, bucket);
  await allowReading(client, bucket);
  process.stdout.write(`${storage.name}: bucket ${bucket} ${created ? 'created' : 'exists'}\n`);
}

async function ensure(client, Bucket) {
  try {
    await client.send(new HeadBucketCommand({ Bucket }));
    return false;
  } catch (error) {
    if (error.$metadata?.httpStatusCode !== 404) throw error;
  }
  await client.send(new CreateBucketCommand({ Bucket }));
  return true;
}

/** Any page may read what it has a signed link to: the signature is the permission, not the origin. */
function allowReading(client, Bucket) {
  const rule = {
    AllowedMethods: ['GET', 'HEAD'],
    AllowedOrigins: ['*'],
    AllowedHeaders: ['*'],
    ExposeHeaders: ['Accept-Ranges', 'Content-Encoding', 'Content-Length', 'Content-Range', 'ETag'],
    MaxAgeSeconds: 3600,
  };
  return client.send(new PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules: [rule] } }));
}
