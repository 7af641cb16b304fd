/**
 * A provider of OpenID Connect in a process of its own (`oidc-provider`). Its parent says by messages whom it knows,
 * which keys it has, and what it forges.
 */
import { generateKeyPairSync, randomUUID, createPrivateKey, sign } from 'node:crypto';
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';

const settings = JSON.parse(process.env.OIDC_TEST_SETTINGS);
const people = new Map();
/** What is changed in the next ID tokens. */
let forged = null;
let isAway = false;

const newKey = () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), alg: 'RS256', use: 'sig' };
};
let keys = [newKey()];
let provider;

const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
const read = (text) => JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));

/** Messages hold no `undefined`: null takes a claim away. */
const without = (values) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));

/** The ID token with other claims, signed by the provider's own key or, for `by: 'stranger'`, by another. */
function forge(token) {
  const { claims = {}, header = {}, by } = forged;
  const [head, payload] = token.split('.').slice(0, 2).map(read);
  const text = `${part({ ...head, ...header })}.${part(without({ ...payload, ...claims }))}`;
  if (header.alg === 'none') return `${text}.`;
  const key = createPrivateKey({ key: by === 'stranger' ? newKey() : keys[0], format: 'jwk' });
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
}

/** A logout token, also one that no provider would send. */
function logoutToken({ claims = {}, header = {}, by }) {
  const now = Math.floor(Date.now() / 1000);
  const usual = {
    iss: settings.issuer,
    aud: settings.clients[0].client_id,
    iat: now,
    exp: now + 120,
    jti: randomUUID(),
  };
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  const head = { alg: 'RS256', typ: 'logout+jwt', kid: keys[0].kid, ...header };
  const text = `${part(head)}.${part(without({ ...usual, events, ...claims }))}`;
  if (head.alg === 'none') return `${text}.`;
  const key = createPrivateKey({ key: by === 'stranger' ? newKey() : keys[0], format: 'jwk' });
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
}

function open() {
  provider = new Provider(settings.issuer, {
    clients: settings.clients,
    jwks: { keys },
    cookies: { keys: ['tests'] },
    // The package's own lets nothing reach this machine, and waits 2.5 s for no answer.
    fetch: (url, { method, headers, body }) => fetch(url, { method, headers, body }),
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
    scopes: ['openid', 'email', 'profile', 'groups'],
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      // The package's own page fetches a font.
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => {
          ctx.body = `<!doctype html><title>Provider</title>${form}
            <button form="op.logoutForm" name="logout" value="yes">Yes</button>`;
        },
      },
    },
    pkce: { required: () => true },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ sub, ...people.get(sub) }) }),
    loadExistingGrant: async (ctx) => {
      const grant = new ctx.oidc.provider.Grant({
        clientId: ctx.oidc.client.clientId,
        accountId: ctx.oidc.session.accountId,
      });
      grant.addOIDCScope('openid email profile groups');
      await grant.save();
      return grant;
    },
  });
  provider.use(async (ctx, next) => {
    await next();
    if (forged && ctx.path === '/token' && ctx.body?.id_token)
      ctx.body = { ...ctx.body, id_token: forge(ctx.body.id_token) };
  });
}
open();

async function interaction(request, response) {
  if (request.method === 'GET') {
    response.setHeader('content-type', 'text/html');
    const buttons = [...people.keys()].map((sub) => `<button name="sub" value="${sub}">${sub}</button>`).join('');
    response.end(`<!doctype html><title>Provider</title><form method="post">${buttons}</form>`);
    return;
  }
  let body = '';
  for await (const chunk of request) body += chunk;
  const sub = new URLSearchParams(body).get('sub');
  const result = sub ? { login: { accountId: sub } } : { error: 'access_denied' };
  await provider.interactionFinished(request, response, result);
}

const server = createServer((request, response) => {
  if (request.url === '/favicon.ico') return void response.writeHead(204).end();
  if (isAway) return void response.writeHead(503).end();
  if (request.url.startsWith('/interaction/'))
    return void interaction(request, response).catch(() => response.writeHead(400).end());
  provider.callback()(request, response);
});

process.on('message', ({ id, person, forge: next, away, rotate, logout }) => {
  if (person) people.set(person.sub, person.claims);
  if (next !== undefined) forged = next;
  if (away !== undefined) isAway = away;
  if (rotate) {
    // What it kept in memory stays where it is: the adapter is the module's.
    keys = [newKey()];
    open();
  }
  process.send({ done: id, ...(logout ? { token: logoutToken(logout) } : {}) });
});
process.on('disconnect', () => process.exit());
server.listen(Number(new URL(settings.issuer).port), '127.0.0.1', () => process.send({ ready: true }));
