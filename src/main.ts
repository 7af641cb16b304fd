import { AppConfig } from './config/app-config.js';
import { ConfigProblem, loadConfig } from './config/load-config.js';
import { createApp } from './create-app.js';

async function main(): Promise<void> {
  let config: AppConfig;
  try {
    config = loadConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigProblem)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
  const app = await createApp(config);
  app.enableShutdownHooks();
  await app.listen(config.http.port, config.http.host);
}

main().catch((error: unknown) => {
  process.stderr.write(`Start-up failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});
