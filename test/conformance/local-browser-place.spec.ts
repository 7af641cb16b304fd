import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LocalBrowserDriver } from '../../src/drivers/local/local-browser-driver.js';
import { eventually } from '../support/eventually.js';
import { localRuntime } from '../support/local-driver.js';
import { MemoryObjectStore } from '../support/memory-object-store.js';
import { TestClock } from '../support/test-clock.js';

const OID = '0f7ac5a2-35f0-4f3b-8a5b-0f0f3f6f8e11';
const ID = 'prf-0123456789';

describe('the place of a local profile browser', () => {
  it('goes to a crawl that waits when nobody looks at it any more, however often it is asked after', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'local-place-'));
    const clock = new TestClock();
    const store = new MemoryObjectStore();
    const runtime = localRuntime({ store, clock }, { dataDir, maxConcurrentBrowsers: 1 });
    const driver = new LocalBrowserDriver(runtime);
    await driver.open();
    try {
      await driver.start({
        browserId: ID,
        oid: OID,
        userId: '7d7f3c4e-8a1b-4c2d-9e3f-1a2b3c4d5e6f',
        image: 'local/crawler:1.14.1',
        imagePullPolicy: 'IfNotPresent',
        url: 'https://site.example/login',
        storage: { ref: { name: 'default', custom: false }, keyPrefix: `${OID}/` },
        labels: {},
      });
      const isReady = () => eventually(async () => expect(await driver.ping(ID)).toMatchObject({ state: 'ready' }));
      /** Half a minute in which it is asked after all the time, and the driver has looked at it. */
      const passWithPings = async () => {
        for (let n = 0; n < 4; n += 1) {
          clock.advance(10_000);
          await driver.ping(ID);
        }
        driver.sweep();
      };
      await isReady();
      await passWithPings();
      expect(await driver.find(ID)).not.toBeNull();

      const live = await driver.frames(ID);
      let isServed = false;
      runtime.slots.want({ id: 'a-crawl', sinceMs: clock.nowMs(), granted: () => (isServed = true) });
      await passWithPings();
      expect([isServed, await driver.find(ID)]).toEqual([false, expect.anything()]);
      live?.close();
      await driver.navigate(ID, 'https://site.example/other');
      clock.advance(20_000);
      driver.sweep();
      expect([isServed, await driver.find(ID)]).toEqual([false, expect.anything()]);
      await passWithPings();
      await eventually(async () => expect([isServed, await driver.find(ID)]).toEqual([true, null]));
    } finally {
      await driver.close();
      await runtime.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});
