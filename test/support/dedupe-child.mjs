/**
 * The built service on a free port, for tests that kill it. Reads its code, which takes most of a start, says so, and
 * begins with the first message of its parent. Does for its parent what drivers ask of the service: answers
 * crawls that ask for originals (`ask`), and ends crawls with what they refer to (`end`).
 */
import { once } from 'node:events';
import { createApp } from '../../dist/src/create-app.js';
import { loadConfig } from '../../dist/src/config/load-config.js';
import { RunsRepository } from '../../dist/src/crawls/data/runs.repository.js';
import { UnitOfWork } from '../../dist/src/database/unit-of-work.js';
import { OriginalsFinder } from '../../dist/src/dedupe/originals-finder.js';
import { KeptItems } from '../../dist/src/items/deletion/kept-items.js';

process.once('disconnect', () => process.exit(1));
process.send('loaded');
await once(process, 'message');
const app = await createApp(loadConfig(process.env));
await app.listen(0, '127.0.0.1');
const of = (token) => app.get(token, { strict: false });
const [finder, work, runs, kept] = [OriginalsFinder, UnitOfWork, RunsRepository, KeptItems].map(of);

/** As `CrawlEnding` does, in one transaction. */
const end = ({ oid, crawlId, required }) =>
  work.run(async (tx) => {
    await runs.setCrawl(oid, crawlId, { state: 'complete', finished: new Date() }, tx);
    await runs.linkRequired(oid, crawlId, required, tx);
    await kept.link(oid, crawlId, required, tx);
    await kept.letGo(oid, crawlId, tx);
    return true;
  });

process.on('message', ({ n, ask, ended }) => {
  const answer = ask ? finder.find(ask) : end(ended);
  // What fails is no answer: the crawl captures whole, or is ended again.
  answer.then(
    (value) => process.send({ n, value }),
    () => process.send({ n, value: null }),
  );
});
process.send(await app.getUrl());
