import { InProcessDuplex } from '../drivers/duplex-websocket.js';
import { lastingScreencast } from './lasting-screencast.js';

describe('a live view', () => {
  it('takes a breath before it opens what ended at once again', async () => {
    let opened = 0;
    const ended = (): InProcessDuplex => {
      const duplex = new InProcessDuplex(
        () => undefined,
        () => undefined,
      );
      duplex.close();
      return duplex;
    };
    const viewer = lastingScreencast(ended(), {
      open: () => {
        opened += 1;
        return Promise.resolve(opened < 1000 ? ended() : null);
      },
      goesOn: () => Promise.resolve(false),
    });
    await new Promise((resolve) => setImmediate(resolve));
    viewer.close();
    expect(opened).toBeLessThan(2);
  });
});
