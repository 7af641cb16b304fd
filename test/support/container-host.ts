/**
 * Address of this machine as crawlers in containers reach it: the loopback where processes stand for containers, that
 * of the containers' bridge with a real engine (`npm test -- engines`). Servers that they talk to listen there.
 */
export const CONTAINER_HOST = process.env['MUNIMENT_TEST_CONTAINER_HOST'] ?? '127.0.0.1';
