import mongoose from 'mongoose';

describe('the MongoDB of a test run', () => {
  it('takes transactions, as the service needs', async () => {
    const connection = await mongoose
      .createConnection(process.env.MUNIMENT_TEST_MONGO_URL ?? '', { dbName: `mongod_spec_${process.pid}` })
      .asPromise();
    try {
      await connection.createCollection('notes');
      await connection.transaction(async (session) => {
        await connection.collection('notes').insertOne({ text: 'kept' }, { session });
      });
      const failing = connection.transaction(async (session) => {
        await connection.collection('notes').insertOne({ text: 'rolled back' }, { session });
        throw new Error('abort');
      });
      await expect(failing).rejects.toThrow('abort');
      const texts = await connection.collection('notes').distinct('text');
      expect(texts).toEqual(['kept']);
    } finally {
      await connection.dropDatabase();
      await connection.close();
    }
  });
});
