/** Answers as a Docker engine in which each job's one container runs; nothing is started. */
import { createServer } from 'node:http';

const STARTED = new Date().toISOString();

/** @param {string} socketPath where it listens @returns {Promise<() => void>} ends it */
export async function startIdleEngine(socketPath) {
  const server = createServer((request, response) => {
    request.resume();
    const { pathname, searchParams } = new URL(request.url, 'http://engine');
    const answer = (body) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
    const [, name] = /^\/containers\/(.+)\/json$/.exec(pathname) ?? [];
    if (name) {
      const state = { Status: 'running', Running: true, StartedAt: STARTED, FinishedAt: '0001-01-01T00:00:00Z' };
      return answer({ Id: name, State: state, Config: { Labels: { 'net.muniment.workers': '2' } } });
    }
    if (pathname === '/containers/json') {
      const [label = ''] = JSON.parse(searchParams.get('filters') ?? '{}').label ?? [];
      const [, job] = label.split('=');
      return answer(job ? [{ Id: `crawl-${job}-0`, Names: [`/crawl-${job}-0`], Labels: {} }] : []);
    }
    if (pathname === '/volumes') return answer({ Volumes: [] });
    return answer({});
  });
  await new Promise((resolve) => server.listen(socketPath, resolve));
  return () => server.close();
}
