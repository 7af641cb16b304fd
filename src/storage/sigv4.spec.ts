import { GetObjectCommand, PutObjectCommand, S3Client, UploadPartCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';

import { encodePath, UrlSigner } from './sigv4.js';

const KEYS = [
  'oid/uploads/upload-1-test-k3q5zr7a.wacz',
  'a/b c.wacz',
  "pre/é!'()*~+&=?#日.tar.gz",
  'a:@,;$x%20',
  'emoji-😀/-thumbnail-x.png',
];
const MOMENTS = ['2025-01-02T03:04:05Z', '2024-02-29T23:59:59Z', '2031-12-31T00:00:00Z'];
const identity = { accessKey: 'AK/+x=', secretKey: 'secret/+ü', region: 'eu-central-1' };

describe('UrlSigner', () => {
  const signer = new UrlSigner(identity);

  for (const virtual of [false, true]) {
    for (const endpoint of ['http://store.example:9000', 'https://s3.example.com', 'https://s3.example.com:443']) {
      it(`makes the SDK presigner's URL byte for byte (${virtual ? 'virtual host' : 'path'}, ${endpoint})`, async () => {
        const client = new S3Client({
          endpoint,
          region: identity.region,
          forcePathStyle: !virtual,
          credentials: { accessKeyId: identity.accessKey, secretAccessKey: identity.secretKey },
          requestChecksumCalculation: 'WHEN_REQUIRED',
          responseChecksumValidation: 'WHEN_REQUIRED',
        });
        for (const key of KEYS) {
          for (const moment of MOMENTS) {
            const signedAt = new Date(moment);
            const target = { Bucket: 'buck', Key: key };
            const options = { expiresIn: 604_740, signingDate: signedAt };
            const part = { uploadId: 'up/+load=~1', partNumber: 9_999 };
            const ofPart = { ...target, UploadId: part.uploadId, PartNumber: part.partNumber };
            const theirs = [
              [{ method: 'GET' }, await getSignedUrl(client, new GetObjectCommand(target), options)],
              [{ method: 'PUT' }, await getSignedUrl(client, new PutObjectCommand(target), options)],
              [{ method: 'PUT', part }, await getSignedUrl(client, new UploadPartCommand(ofPart), options)],
            ] as const;
            const base = new URL(endpoint);
            const host = virtual ? `buck.${base.host}` : base.host;
            const path = virtual ? `/${key}` : `/buck/${key}`;
            for (const [request, url] of theirs) {
              const query = signer.query({ ...request, host, path, signedAt, expiresInSeconds: 604_740 });
              expect(`${base.protocol}//${host}${encodePath(path)}?${query}`).toBe(url);
            }
          }
        }
        client.destroy();
      });
    }
  }

  it('gives the same URL for the same moment and another one for the next second', () => {
    const request = { host: 'h', path: '/b/k', signedAt: new Date('2025-01-02T03:04:05Z'), expiresInSeconds: 60 };
    expect(signer.query(request)).toBe(new UrlSigner(identity).query(request));
    expect(signer.query({ ...request, signedAt: new Date('2025-01-02T03:04:06Z') })).not.toBe(signer.query(request));
  });

  it('keeps signing correctly after more days than it caches keys for', () => {
    const at = (day: number): string =>
      signer.query({
        host: 'h',
        path: '/b/k',
        signedAt: new Date(Date.UTC(2025, 0, day)),
        expiresInSeconds: 60,
      });
    const first = at(1);
    for (let day = 2; day < 40; day++) at(day);
    expect(at(1)).toBe(first);
  });
});
