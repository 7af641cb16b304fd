import { jest } from '@jest/globals';
import { JsonLogger } from './json-logger.js';

/** What the logger writes for people meanwhile. */
function written(work: (logger: JsonLogger) => void): string {
  let text = '';
  const write = jest.spyOn(process.stderr, 'write').mockImplementation((line) => ((text += String(line)), true));
  try {
    work(new JsonLogger({ format: 'text', level: 'info' }));
  } finally {
    write.mockRestore();
  }
  return text;
}

describe('a bare error, as the framework logs it', () => {
  it('is named, and said with its message and stack', () => {
    const text = written((logger) => logger.error(new Error('the database is away'), undefined, 'Scheduler'));
    expect(text).toMatch(/^ERROR \[Scheduler\] unnamed_error err=Error: the database is away\n +at /);
  });
});

describe('what somebody sent', () => {
  it('passes for no line of its own', () => {
    const forged = 'x\nWARN  [access] access_refused actor=me';
    const text = written((logger) => {
      logger.warn({ event: 'told', said: forged });
      logger.error({ event: 'failed', err: new Error(forged) });
    });
    expect(text.split('\n').filter((line) => line.startsWith('WARN'))).toHaveLength(1);
    expect(text).toContain('said="x\\nWARN');
  });
});
