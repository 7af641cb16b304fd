/**
 * What `npm test -- engines` needs beside the tools of all tests: a Docker engine and the images of the Dockerfile. The
 * first run takes a quarter of an hour, later ones what has changed. What it leaves in the cache, images of some
 * gigabytes, is for the next run.
 */
import path from 'node:path';
import { DockerEngine, IMAGES, NoEngine } from './provision/docker.mjs';
import { ROOT, say } from './provision/lib.mjs';

const FOLDER = path.join(ROOT, 'test', 'engines');
/** Images of tests by their names: the file that they are built by, and the folder whose files it takes. */
const TEST_IMAGES = {
  'redis:7.4': ['redis.Dockerfile', FOLDER],
  'local/crawler:1.14.1': ['scripted.Dockerfile', path.join(ROOT, 'test', 'support')],
};

/** The suites that every engine passes, and those of an engine's own faults. */
export const ENGINE_TESTS = [
  'test/conformance/crawl-driver',
  'test/conformance/browser-driver',
  'test/e2e/drivers/container-service',
  'test/engines/',
];

/**
 * Starts an engine with all images, and lets `work` run with the variables by which the tests find it. Where there can
 * be no engine `work` is left out, loudly.
 * @returns what `work` returned, or null
 */
export async function withEngine(work) {
  let engine;
  try {
    engine = await DockerEngine.start();
    for (const target of Object.keys(IMAGES)) await engine.build(target);
    for (const [name, [file, folder]] of Object.entries(TEST_IMAGES))
      await engine.buildImage(name, ['--file', path.join(FOLDER, file), folder]);
    return await work({
      MUNIMENT_TEST_DOCKER: engine.host,
      MUNIMENT_TEST_DOCKERD: engine.binary,
      MUNIMENT_TEST_CONTAINER_HOST: engine.gateway,
    });
  } catch (error) {
    if (!(error instanceof NoEngine)) throw error;
    say(`SKIPPED: no Docker engine (${error.message}). Nothing was tested against one.`);
    return null;
  } finally {
    await engine?.down();
  }
}
