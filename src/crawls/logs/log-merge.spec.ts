import { mergeByTime, parseLogLine, type ReadLogLine } from './log-merge.js';

const line = (timestamp: string): ReadLogLine => ({
  timestamp,
  logLevel: 'info',
  context: '',
  message: '',
  details: {},
});
async function* source(...times: string[]): AsyncGenerator<ReadLogLine> {
  for (const time of times) yield await Promise.resolve(line(time));
}

describe('the log of a crawl', () => {
  it('is merged by time from the instances’ logs', async () => {
    const merged: string[] = [];
    for await (const { timestamp } of mergeByTime([source('1', '4'), source(), source('2', '3', '5')]))
      merged.push(timestamp);
    expect(merged).toEqual(['1', '2', '3', '4', '5']);
  });

  it('lets go of all sources when the reader leaves', async () => {
    const left: string[] = [];
    async function* endless(name: string): AsyncGenerator<ReadLogLine> {
      try {
        for (;;) yield await Promise.resolve(line(name));
      } finally {
        left.push(name);
      }
    }
    for await (const _ of mergeByTime([endless('a'), endless('b')])) break;
    expect(left.sort()).toEqual(['a', 'b']);
  });

  it.each(['not json', '[]', '"text"', '{"logLevel":"info"}'])('steps over %s', (text) => {
    expect(parseLogLine(text)).toBeNull();
  });
});
