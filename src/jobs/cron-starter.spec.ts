import { lastFiring } from './cron-starter.js';

describe('lastFiring', () => {
  it.each([
    ['0 * * * *', '2026-01-01T10:00:00Z', '2026-01-01T10:00:00Z'],
    ['0 * * * *', '2026-01-01T10:59:59Z', '2026-01-01T10:00:00Z'],
    ['* * * * *', '2026-01-01T10:00:30Z', '2026-01-01T10:00:00Z'],
    ['0 0 * * 0', '2026-11-21T08:00:00Z', '2026-11-15T00:00:00Z'],
  ])('of %s at %s is %s', (cron, now, firing) => {
    expect(lastFiring(cron, new Date(now))).toEqual(new Date(firing));
  });

  it('refuses what is no schedule', () => {
    expect(() => lastFiring('every day', new Date('2026-01-01T00:00:00Z'))).toThrow();
  });
});
