import type { ContainerState } from './container-runtime.js';
import { instanceAction, type InstanceAction, type InstanceSituation } from './instance-action.js';

const NO_FLAGS = { stopping: false, paused: false, canceled: false };
const ENDED = { workers: 2, startedAt: '2026-01-01T00:00:00Z', exitedAt: '2026-01-01T00:01:00Z', exitCode: 0 };

const at = (phase: ContainerState['phase'], changes: Partial<ContainerState> = {}): ContainerState => ({
  index: 0,
  phase,
  workers: 2,
  ...(phase === 'exited' ? { exitCode: 0 } : {}),
  ...changes,
});

const situation = (changes: Partial<InstanceSituation>): InstanceSituation => ({
  container: undefined,
  ended: undefined,
  status: undefined,
  flags: NO_FLAGS,
  workers: 2,
  restart: false,
  grown: false,
  ...changes,
});

describe('what happens with a wanted instance', () => {
  it.each<[string, Partial<InstanceSituation>, InstanceAction]>([
    ['never there', {}, 'create'],
    ['made, never started', { container: at('waiting', { unstarted: true }) }, 'create'],
    ['waiting for a place', { container: at('waiting') }, 'keep'],
    ['waiting with other windows', { container: at('waiting'), workers: 1 }, 'recreate'],
    ['at work', { container: at('running'), status: 'running' }, 'keep'],
    ['at work, windows changed', { container: at('running'), workers: 4 }, 'stop'],
    ['at work, config changed', { container: at('running'), restart: true }, 'stop'],
    [
      'stopping, windows changed',
      { container: at('running'), workers: 4, flags: { ...NO_FLAGS, stopping: true } },
      'keep',
    ],
    ['crashed, the engine restarts it', { container: at('backoff', { exitCode: 10 }) }, 'keep'],
    ['out of space, its volume was grown', { container: at('backoff', { exitCode: 3 }), grown: true }, 'stop'],
    [
      'out of space while packing, its volume was grown',
      { container: at('backoff', { exitCode: 3 }), grown: true, flags: { ...NO_FLAGS, stopping: true } },
      'stop',
    ],
    ['stopped for its grown volume', { container: at('exited', { exitCode: 3 }), grown: true }, 'recreate'],
    ['done', { container: at('exited'), status: 'done' }, 'keep'],
    ['done, restart asked', { container: at('exited'), status: 'done', restart: true }, 'keep'],
    ['failed', { container: at('exited'), status: 'failed' }, 'keep'],
    ['stopped for its new windows', { container: at('exited', { exitCode: 11 }), status: 'interrupted' }, 'recreate'],
    ['paused', { container: at('exited'), status: 'interrupted', flags: { ...NO_FLAGS, paused: true } }, 'keep'],
    ['pause lifted', { container: at('exited'), status: 'interrupted' }, 'recreate'],
    ['pause lifted, container gone', { ended: ENDED, status: 'interrupted' }, 'create'],
    ['done, container gone', { ended: ENDED, status: 'done' }, 'keep'],
    ['evicted', { container: at('evicted'), status: 'running' }, 'recreate'],
    ['canceled before it ran', { flags: { ...NO_FLAGS, canceled: true } }, 'keep'],
  ])('%s', (_name, changes, action) => {
    expect(instanceAction(situation(changes))).toBe(action);
  });
});
