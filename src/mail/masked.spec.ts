import { masked } from './masked.js';

const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl-_x';
const ID = '0e138ad6-b8c4-4ac4-8b8b-123456789abc';

describe('a mail in the log', () => {
  it.each([
    [
      `https://a.example/reset-password?token=${JWT} .`,
      `https://a.example/reset-password?token=${'x'.repeat(JWT.length)} .`,
    ],
    [
      `https://a.example/join/${ID}?email=a%40b.example`,
      `https://a.example/join/${'x'.repeat(36)}?email=a%40b.example`,
    ],
    [`/invite/accept/${ID.toUpperCase()}`, `/invite/accept/${'x'.repeat(36)}`],
    [`/orgs/${ID}/settings`, `/orgs/${ID}/settings`],
    ['Hello', 'Hello'],
  ])('%s is %s', (text, expected) => expect(masked(text)).toBe(expected));

  it('has every token masked, not the first alone', () => {
    expect(masked(`${JWT} /join/${ID} ${JWT}`)).not.toMatch(/eyJ|0e138/);
  });
});
