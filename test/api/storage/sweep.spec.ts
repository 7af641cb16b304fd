import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { newId } from '../../../src/common/ids/uuid.js';
import { days } from '../../../src/common/units/durations.js';
import { FileDeletionsRepository } from '../../../src/objects/data/file-deletions.repository.js';
import { UploadSweep } from '../../../src/objects/upload-sweep.js';
import { JobStarter } from '../../../src/jobs/job-starter.js';
import { startS3Server } from '../../support/s3-server.js';
import { type AppUnderTest, startApp } from '../../support/start-app.js';

const server = await startS3Server();

if (server) {
  describe('writes to a bucket that nobody ends', () => {
    const { bucket: Bucket, accessKey, secretKey } = server;
    let folder: string;
    let app: AppUnderTest;
    let oid: string;
    let client: S3Client;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'muniment-sweep-'));
      const keys = { access_key: accessKey, secret_key: secretKey };
      const main = { type: 's3', name: 'main', ...keys, endpoint_url: `${server.url}${Bucket}/main/` };
      await writeFile(join(folder, 'storages.json'), JSON.stringify([main]));
      app = await startApp({ today: true, env: { STORAGES_JSON: join(folder, 'storages.json') } });
      oid = await app.defaultOrgId();
      const credentials = { accessKeyId: accessKey, secretAccessKey: secretKey };
      client = new S3Client({ endpoint: server.url, region: 'us-east-1', forcePathStyle: true, credentials });
    });
    afterAll(async () => {
      client?.destroy();
      await app?.close();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    });

    const begin = async (key: string) => {
      const target = { Bucket, Key: `main/${key}` };
      const { UploadId } = await client.send(new CreateMultipartUploadCommand(target));
      await client.send(new UploadPartCommand({ ...target, UploadId, PartNumber: 1, Body: Buffer.alloc(1000) }));
      return key;
    };
    const underWay = async () => {
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: 'main/' }));
      return Uploads.map(({ Key = '' }) => Key.slice('main/'.length)).sort();
    };

    it('are ended after a day, except where a record tells of them', async () => {
      const [lost, again] = [await begin(`${oid}/uploads/lost.wacz`), await begin(`${oid}/uploads/lost.wacz`)];
      const planned = await begin(`${oid}/uploads/planned.wacz`);
      const copied = await begin(`${oid}/uploads/copied.wacz`);
      const foreign = await begin('of-somebody-else/lost.wacz');
      const storage = { name: 'main', custom: false };
      await app.app.get(FileDeletionsRepository).insert({
        ...{ _id: newId(), oid, attempts: 0, created: app.clock.now(), leaseUntil: new Date(8.64e15) },
        files: [{ filename: planned, hash: '', size: 0, storage, replicas: [] }],
      });
      const object = { file_path: copied, object_type: 'upload', object_id: `upload-${newId()}` };
      const dueAt = new Date(8.64e15);
      await app.app
        .get(JobStarter)
        .start('create-replica', { oid, fields: { ...object, replica_storage: storage }, dueAt });

      const sweep = app.app.get(UploadSweep);
      app.clock.set(new Date());
      expect(await sweep.run()).toEqual([]);
      app.clock.advance(days(2));
      expect(await sweep.run()).toEqual([lost, again]);
      expect(await underWay()).toEqual([copied, planned, foreign].sort());
      expect(await sweep.run()).toEqual([]);
    });
  });
}
