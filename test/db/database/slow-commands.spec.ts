import { Logger } from '@nestjs/common';
import { jest } from '@jest/globals';
import { startApp } from '../../support/start-app.js';

/** Long enough for any machine to be over the bound. */
const SLOW = { $where: 'sleep(60) || true' };

describe('SLOW_DATABASE_MS', () => {
  it.each([
    ['tells what took longer', '50', 1],
    ['tells nothing unless it is set', '0', 0],
  ])('%s', async (_, bound, count) => {
    const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const under = await startApp({ env: { SLOW_DATABASE_MS: bound } });
    try {
      await under.connection.collection('organizations').findOne({ slug: { $ne: 'my secret' }, ...SLOW });
      const lines = warned.mock.calls.map(([line]) => line as unknown as Record<string, unknown>);
      const told = lines.filter(({ shape }) => JSON.stringify(shape) === '["slug.$ne","$where"]');
      expect(told).toHaveLength(count);
      for (const line of told) {
        expect(line).toMatchObject({ event: 'slow_database_command', command: 'find', collection: 'organizations' });
        expect(line['ms']).toBeGreaterThanOrEqual(60);
        expect(JSON.stringify(line)).not.toContain('secret');
      }
    } finally {
      warned.mockRestore();
      await under.close();
    }
  });
});
