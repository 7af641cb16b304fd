import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection, mongo } from 'mongoose';
import { decode } from '../../database/uuid-codec.js';
import { WATCHED, type StoredChange } from './org-change.facts.js';

const SENT = new Set(Object.values(WATCHED).flatMap(({ fields }) => fields));

/** What the database sends of a change: where it was, and of the document what is passed on. */
const PIPELINE: Record<string, unknown>[] = [
  {
    $match: {
      operationType: { $in: ['insert', 'update', 'replace', 'delete'] },
      'ns.coll': { $in: Object.keys(WATCHED) },
    },
  },
  {
    $project: {
      'ns.coll': 1,
      documentKey: 1,
      clusterTime: 1,
      ...Object.fromEntries(['oid', 'deleted', ...SENT].map((field) => [`fullDocument.${field}`, 1])),
    },
  },
];

interface Told {
  readonly ns: { readonly coll: string };
  readonly documentKey: { readonly _id: unknown };
  readonly clusterTime: mongo.Timestamp;
  readonly fullDocument?: Record<string, unknown> | null;
}

/** Changes from a moment on. */
export interface OpenChanges {
  /** All that is later is told. */
  readonly from: bigint;
  /** @throws what the driver cannot resume by itself */
  readonly changes: AsyncIterable<StoredChange>;
  close(): Promise<void>;
}

const timeOf = (time: mongo.Timestamp): bigint =>
  (BigInt(time.getHighBitsUnsigned()) << 32n) | BigInt(time.getLowBitsUnsigned());

/** What changes in the database, whoever changes it. */
@Injectable()
export class ChangesReads {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  async open(): Promise<OpenChanges> {
    const { db } = this.connection;
    if (!db) throw new Error('not connected to the database');
    const { operationTime } = (await db.command({ ping: 1 })) as { operationTime: mongo.Timestamp };
    const stream = db.watch(PIPELINE, { fullDocument: 'updateLookup', startAtOperationTime: operationTime });
    return { from: timeOf(operationTime), changes: read(stream), close: () => stream.close() };
  }
}

async function* read(stream: mongo.ChangeStream): AsyncGenerator<StoredChange> {
  for await (const told of stream) {
    const { ns, documentKey, clusterTime, fullDocument } = told as unknown as Told;
    const { _id: id } = decode({ ...documentKey });
    const document = fullDocument ? decode(fullDocument) : null;
    yield { collection: ns.coll, id, at: timeOf(clusterTime), document };
  }
}
