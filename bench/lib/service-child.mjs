/** The built service on a free port; tells its URL, and on demand how late its event loop was and how much memory it took. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createApp } from '../../dist/src/create-app.js';
import { loadConfig } from '../../dist/src/config/load-config.js';

const RESOLUTION_MS = 1;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
let peak = 0;
const look = () => (peak = Math.max(peak, process.memoryUsage.rss()));
setInterval(look, 50);

const app = await createApp(loadConfig(process.env));
await app.listen(0, '127.0.0.1');
delay.enable();
process.on('message', (question) => {
  look();
  // The histogram holds the whole interval between two ticks of its timer.
  const late = (percentile) => delay.percentile(percentile) / 1e6 - RESOLUTION_MS;
  const report = { p50: late(50), p99: late(99), max: delay.max / 1e6, peakRss: peak, rss: process.memoryUsage.rss() };
  if (question === 'reset') {
    delay.reset();
    globalThis.gc?.();
    peak = process.memoryUsage.rss();
  }
  process.send({ ...report, ...globalThis.furtherFigures?.() });
});
process.once('disconnect', () => process.exit(1));
process.send({ url: await app.getUrl() });
