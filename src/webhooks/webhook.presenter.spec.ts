import type { Notification } from './data/notification.schema.js';
import { toNotification } from './webhook.presenter.js';

const shown = (answer: string, status: number | null = null) => {
  const made = { at: new Date(0), status, latencyMs: 1, answer };
  const stored = { _id: 'n', event: 'crawlStarted', oid: 'o', body: {}, created: new Date(0), tries: [made] };
  return toNotification(stored as unknown as Notification).tries[0]!.answer;
};

describe('why a try had no answer', () => {
  it.each([
    ['ADDRESS_REFUSED refused to connect to 10.1.2.3: not a public address', '(address): not a public address'],
    ['ADDRESS_REFUSED refused to connect to fd00:ec2::254: not a public address', '(address): not a public address'],
    ['ADDRESS_REFUSED refused to connect to ::1: not a public address', '(address): not a public address'],
    ['ECONNREFUSED connect ECONNREFUSED 192.168.7.9:8443', 'connect ECONNREFUSED (address)'],
    ['ECONNREFUSED connect ECONNREFUSED ::ffff:10.0.0.7:80', 'connect ECONNREFUSED (address)'],
    ['EHOSTUNREACH connect EHOSTUNREACH fe80::1%eth0:80 - Local (:::0)', 'connect EHOSTUNREACH (address)'],
    ['ETIMEDOUT connect ETIMEDOUT [fe80::1]:443', 'connect ETIMEDOUT (address)'],
  ])('%j names no address', (answer, kept) => {
    expect(shown(answer)).toContain(kept);
    expect(shown(answer)).not.toMatch(/10\.1|fd00|::1|192|10\.0|fe80/);
  });

  it.each(['ENOTFOUND getaddrinfo ENOTFOUND hooks.example.org', 'no answer in 30.5 seconds: gave up at 12:30:05'])(
    '%j is told as it is',
    (answer) => expect(shown(answer)).toBe(answer),
  );

  it('is no answer of the receiver, which is told as it came', () => {
    expect(shown('from 10.1.2.3', 500)).toBe('from 10.1.2.3');
  });
});
