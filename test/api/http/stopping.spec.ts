import { once } from 'node:events';
import { connect } from 'node:net';
import { startApp } from '../../support/start-app.js';

/** Node itself would wait for a minute and more. */
const BOUND_MS = 30_000;

describe('a service that stops', () => {
  it(
    'does not wait for connections that browsers opened ahead of need',
    async () => {
      const under = await startApp();
      const { port, hostname } = new URL(under.baseUrl);
      const ahead = connect(Number(port), hostname);
      await once(ahead, 'connect');
      ahead.on('error', () => undefined);
      const ended = once(ahead, 'close');
      await under.close();
      await ended;
    },
    BOUND_MS,
  );

  it('lets a request that has begun end', async () => {
    const under = await startApp();
    const { port, hostname } = new URL(under.baseUrl);
    const asking = connect(Number(port), hostname);
    await once(asking, 'connect');
    const answer: Buffer[] = [];
    asking.on('data', (part: Buffer) => answer.push(part));
    const body = 'username=a&password=b';
    const isContinued = once(asking, 'data');
    asking.write(
      `POST /api/auth/jwt/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\n` +
        `Expect: 100-continue\r\nContent-Length: ${String(body.length)}\r\n\r\n`,
    );
    await isContinued; // the service waits for the body
    const ended = once(asking, 'close');
    const closed = under.close();
    asking.write(body);
    await Promise.all([closed, ended]);
    expect(Buffer.concat(answer).toString()).toMatch(/HTTP\/1\.1 (4|5)\d\d /);
  });
});
