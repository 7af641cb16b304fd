import { Webhook } from 'standardwebhooks';
import { newSigningSecret, signatureHeaders } from './signature.js';

const body = '{"orgId":"x","event":"crawlStarted"}';
const stored = (secret: string, previous: string | null = null, previousValidUntil: Date | null = null) => ({
  _id: '0e138ad6-b8c4-4ac4-8b8b-123456789abc',
  secret,
  previous,
  previousValidUntil,
});

describe('the signature', () => {
  it('is verified by the official Standard Webhooks library', () => {
    const secret = newSigningSecret();
    const headers = signatureHeaders('msg_1', new Date(), body, stored(secret));
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new Webhook(secret).verify(body.replace('x', 'y'), headers)).toThrow();
    expect(() => new Webhook(newSigningSecret()).verify(body, headers)).toThrow();
  });

  it('is verified with the replaced secret too, until its day is over', () => {
    const [now, old, fresh] = [new Date(), newSigningSecret(), newSigningSecret()];
    const soon = new Date(now.getTime() + 1000);
    const both = signatureHeaders('msg_1', now, body, stored(fresh, old, soon));
    for (const secret of [old, fresh]) expect(new Webhook(secret).verify(body, both)).toBeDefined();
    const one = signatureHeaders('msg_1', now, body, stored(fresh, old, new Date(now.getTime() - 1)));
    expect(() => new Webhook(old).verify(body, one)).toThrow();
  });
});
