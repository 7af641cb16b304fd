/** The built service on a free port, for tests that kill it; says its base URL to the parent. */
import { createApp } from '../../dist/src/create-app.js';
import { loadConfig } from '../../dist/src/config/load-config.js';

const app = await createApp(loadConfig(process.env));
await app.listen(0, '127.0.0.1');
process.send(await app.getUrl());
process.once('disconnect', () => process.exit(1));
