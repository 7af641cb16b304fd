import { mongo } from 'mongoose';
import { isDatabaseAway } from './database-away.js';

describe('a failure of the database', () => {
  it('is told from one of the request', () => {
    expect(isDatabaseAway(new mongo.MongoNetworkError('closed'))).toBe(true);
    expect(isDatabaseAway(new mongo.MongoServerError({ message: 'not primary', code: 10107 }))).toBe(true);
    expect(isDatabaseAway(new Error('wrapped', { cause: new mongo.MongoNetworkError('closed') }))).toBe(true);
    expect(isDatabaseAway(new mongo.MongoServerError({ message: 'duplicate key', code: 11000 }))).toBe(false);
    expect(isDatabaseAway(Object.assign(new Error('another 91'), { code: 91 }))).toBe(false);
    expect(isDatabaseAway('text')).toBe(false);
  });
});
