import { createHash, createSign, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';

type Json = Record<string, any>;

const b64 = (bytes: Buffer | string): string => Buffer.from(bytes).toString('base64url');
const sha256 = (bytes: Buffer | string): Buffer => createHash('sha256').update(bytes).digest();

/** CBOR of the few shapes that WebAuthn needs. */
function cbor(value: unknown): Buffer {
  const head = (major: number, n: number): Buffer =>
    n < 24 ? Buffer.from([(major << 5) | n]) : n < 256 ? Buffer.from([(major << 5) | 24, n]) : two(major, n);
  const two = (major: number, n: number): Buffer => Buffer.from([(major << 5) | 25, n >> 8, n & 255]);
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (value instanceof Map) {
    const parts = [...(value as Map<unknown, unknown>)].flatMap(([key, of]) => [cbor(key), cbor(of)]);
    return Buffer.concat([head(5, value.size), ...parts]);
  }
  throw new TypeError('no CBOR for it');
}

/** How an authenticator behaves in an answer; what is left out is as it should be. */
export interface Behaviour {
  readonly origin?: string;
  readonly domain?: string;
  readonly challenge?: string;
  readonly isOwnerProved?: boolean;
  readonly counter?: number;
  readonly userHandle?: string;
}

const FLAG = { present: 1, verified: 4, attested: 64 } as const;

/** An authenticator in software with one passkey, which can be as wrong as a test wants. */
export class TestPasskey {
  private readonly privateKey: KeyObject;
  private readonly publicKey: KeyObject;
  readonly id = randomBytes(32);
  userHandle = '';
  counter = 0;

  constructor(readonly origin: string) {
    ({ privateKey: this.privateKey, publicKey: this.publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' }));
  }

  /** WebAuthn's `RegistrationResponseJSON` for options of the service. */
  register(options: Json, behaviour: Behaviour = {}): Json {
    this.userHandle = options['user'].id as string;
    const { x = '', y = '' } = this.publicKey.export({ format: 'jwk' });
    const point = [x, y].map((part) => Buffer.from(part, 'base64url'));
    const cose = cbor(
      new Map<number, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, point[0]],
        [-3, point[1]],
      ]),
    );
    const length = Buffer.from([0, this.id.length]);
    const attested = Buffer.concat([Buffer.alloc(16), length, this.id, cose]);
    const authData = Buffer.concat([this.head(behaviour, FLAG.attested), attested]);
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ]);
    return this.answer({
      clientDataJSON: b64(this.clientData('webauthn.create', options, behaviour)),
      attestationObject: b64(cbor(attestation)),
      transports: ['internal'],
    });
  }

  /** WebAuthn's `AuthenticationResponseJSON` for options of the service. */
  prove(options: Json, behaviour: Behaviour = {}): Json {
    const clientData = this.clientData('webauthn.get', options, behaviour);
    const authData = this.head(behaviour);
    const signed = Buffer.concat([authData, sha256(clientData)]);
    return this.answer({
      clientDataJSON: b64(clientData),
      authenticatorData: b64(authData),
      signature: b64(createSign('sha256').update(signed).sign(this.privateKey)),
      userHandle: behaviour.userHandle ?? this.userHandle,
    });
  }

  private head({ domain = 'localhost', isOwnerProved = true, counter }: Behaviour, more = 0): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter ?? (this.counter += 1));
    const flags = FLAG.present | (isOwnerProved ? FLAG.verified : 0) | more;
    return Buffer.concat([sha256(domain), Buffer.from([flags]), count]);
  }

  private clientData(type: string, options: Json, { origin = this.origin, challenge }: Behaviour): Buffer {
    const asked = challenge ?? (options['challenge'] as string);
    return Buffer.from(JSON.stringify({ type, challenge: asked, origin, crossOrigin: false }));
  }

  private answer(response: Json): Json {
    const id = b64(this.id);
    return { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} };
  }
}
