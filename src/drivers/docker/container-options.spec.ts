import { containerOptions } from './container-options.js';

const plan = { name: 'crawl-a-0', image: 'crawler:1', command: ['crawl'], env: {}, cpuMillis: 2700, memoryBytes: 1024 };
const needs = { labels: {}, restart: 'on-failure', hasBrowser: true } as const;

describe('the options of a container', () => {
  it('limit its CPU in a way that engines take for more cores than they have', () => {
    const { HostConfig } = containerOptions(plan, needs, { network: '' });
    expect(HostConfig).toMatchObject({ CpuPeriod: 100_000, CpuQuota: 270_000, Memory: 1024 });
    expect(HostConfig).not.toHaveProperty('NanoCpus');
  });
});
