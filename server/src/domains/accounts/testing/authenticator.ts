/** A passkey in software: what a phone or a security key does (WebAuthn level 3, "none" attestation, ES256). For tests. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
const sha256 = (bytes: string | Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

/** The little of CBOR that is needed: whole numbers, texts, bytes, maps. */
function cbor(value: number | string | Uint8Array | ReadonlyMap<number | string, unknown>): Buffer {
  const head = (major: number, length: number): Buffer => {
    if (length < 24) return Buffer.from([(major << 5) | length]);
    if (length < 256) return Buffer.from([(major << 5) | 24, length]);
    return Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
  };
  if (typeof value === 'number') return value < 0 ? head(1, -value - 1) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  const parts = [...value].flatMap(([key, one]) => [cbor(key), cbor(one as never)]);
  return Buffer.concat([head(5, value.size), ...parts]);
}

export interface AuthenticatorOptions {
  readonly origin: string;
  readonly rpId: string;
  /** Whether it has checked who holds it. */
  readonly verifies?: boolean;
}

export interface Authenticator {
  readonly id: string;
  /** Of `navigator.credentials.create`. */
  create(challenge: string): object;
  /** Of `navigator.credentials.get`; `from` is another page than the one it belongs to. */
  get(challenge: string, options?: { readonly verifies?: boolean; readonly from?: string }): object;
}

export function createAuthenticator({ origin, rpId, verifies = true }: AuthenticatorOptions): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const credential = randomBytes(32);
  const id = base64url(credential);
  let counter = 0;

  const clientData = (type: string, challenge: string, from = origin): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }));
  const data = (flags: number, attested: Buffer = Buffer.alloc(0), isVerified = verifies): Buffer => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE((counter += 1));
    // Present, verified where it is.
    return Buffer.concat([sha256(rpId), Buffer.from([flags | 1 | (isVerified ? 4 : 0)]), count, attested]);
  };
  const common = { id, rawId: id, type: 'public-key', clientExtensionResults: {}, authenticatorAttachment: 'platform' };

  return {
    id,
    create(challenge) {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(credential.length);
      const attested = Buffer.concat([Buffer.alloc(16), length, credential, cbor(coseKey(publicKey))]);
      const attestationObject = cbor(
        new Map<string, unknown>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', data(0x40, attested)],
        ]),
      );
      const clientDataJSON = base64url(clientData('webauthn.create', challenge));
      const response = { clientDataJSON, attestationObject: base64url(attestationObject), transports: ['internal'] };
      return { ...common, response };
    },
    get(challenge, { verifies: isVerified = verifies, from } = {}) {
      const client = clientData('webauthn.get', challenge, from);
      const authenticatorData = data(0, undefined, isVerified);
      const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(client)]), privateKey);
      const response = {
        clientDataJSON: base64url(client),
        authenticatorData: base64url(authenticatorData),
        signature: base64url(signature),
      };
      return { ...common, response };
    },
  };
}

function coseKey(key: KeyObject): ReadonlyMap<number, unknown> {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  return new Map<number, unknown>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ]);
}
