import { createRequire } from 'node:module';
import { writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { findChromium } from '../scripts/provision/chromium.mjs';
import { startProduct } from './lib/product.mjs';
const { chromium } = createRequire(import.meta.url)('playwright-core');
const product = await startProduct();
const browser = await chromium.launch({ executablePath: await findChromium(), args: ['--no-sandbox'] });
const { slug } = await product.call('GET', `/orgs/${product.oid}`);
const runs = Number(process.argv[2] ?? 5);
const all = [];
for (let r = 0; r < runs; r++) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' });
  const page = await context.newPage();
  await page.addInitScript((kept) => { localStorage.setItem('muniment.session', kept); sessionStorage.setItem('muniment.session', kept); }, product.token);
  const cdp = await context.newCDPSession(page);
  await delay(Number(process.argv[3] ?? 0));
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await browser.startTracing(page, { categories: ['devtools.timeline', 'v8', 'blink', 'blink.user_timing', 'loading', 'disabled-by-default-v8.compile'] });
  await page.goto(product.url + `/o/${slug}`);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await delay(1500);
  const buf = await browser.stopTracing();
  const { traceEvents } = JSON.parse(buf.toString());
  if (r === runs - 1) writeFileSync('/tmp/lcp/trace.json', buf);
  const lcp = traceEvents.filter((e) => e.name === 'largestContentfulPaint::Candidate').at(-1);
  const nav = traceEvents.filter((e) => e.name === 'navigationStart' && e.args?.data?.documentLoaderURL?.includes(product.url)).at(-1);
  const main = { pid: lcp.pid, tid: lcp.tid };
  const from = nav.ts, to = lcp.ts;
  const evs = traceEvents.filter((e) => e.pid === main.pid && e.tid === main.tid && e.ph === 'X' && e.ts >= from && e.ts < to).sort((a, b) => a.ts - b.ts || b.dur - a.dur);
  // self times
  const self = new Map(); const stack = [];
  for (const e of evs) {
    while (stack.length && stack.at(-1).ts + stack.at(-1).dur <= e.ts) stack.pop();
    if (stack.length) stack.at(-1).self -= e.dur;
    const o = { ...e, self: e.dur }; e.o = o; stack.push(o);
  }
  for (const e of evs) { const k = e.name + (e.args?.data?.url && ['EvaluateScript','v8.compile','v8.compileModule'].includes(e.name) ? ' ' + e.args.data.url.split('/').pop() : ''); self.set(k, (self.get(k) ?? 0) + e.o.self / 1000); }
  console.log('LCP', ((to - from) / 1000).toFixed(0), lcp.args.data.type, lcp.args.data.nodeName, 'busy', [...self.values()].reduce((a, b) => a + b, 0).toFixed(0));
  all.push(self);
}
const names = new Set(all.flatMap((m) => [...m.keys()]));
const rows = [...names].map((n) => [n, all.map((m) => m.get(n) ?? 0).sort((a, b) => a - b)[Math.floor(runs / 2)]]).sort((a, b) => b[1] - a[1]).slice(0, 25);
for (const [n, v] of rows) console.log(v.toFixed(1).padStart(8), n);
await browser.close(); await product.stop();
