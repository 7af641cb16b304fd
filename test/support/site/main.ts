import { startTestSite } from './site.js';

/** `node --experimental-transform-types` or a build runs this file: the test site as a process of its own. */
const port = Number(process.argv[2] ?? 0);
const otherPort = Number(process.argv[3] ?? 0);
const site = await startTestSite({ port, otherPort });
process.stdout.write(`${JSON.stringify({ url: site.url, otherUrl: site.otherUrl })}\n`);
process.once('SIGTERM', () => void site.close().then(() => process.exit(0)));
