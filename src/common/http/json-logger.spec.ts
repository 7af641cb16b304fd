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
