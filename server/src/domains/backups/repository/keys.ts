/**
 * How a repository is sealed. One random key seals all of it; that lies in the repository under a key which is made of a
 * passphrase or a key file, so that a wrong one is found out before anything is read.
 */
import {
  createHash,
  createHmac,
  createSecretKey,
  type Hash,
  type Hmac,
  hkdfSync,
  type KeyObject,
  randomBytes,
  scryptSync,
} from 'node:crypto';
import { CodedError } from '../../../base/errors.ts';
import { openBox } from '../../../base/secrets/index.ts';
import { credential as texts } from '../../../base/texts/backups.ts';

/** What a person gives to open a repository. */
export interface Credential {
  readonly kind: 'passphrase' | 'key';
  readonly text: string;
}

/** As it stands in `culprit-backup.json`. */
export type Lock =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'passphrase' | 'key';
      /** base64, as the wrapped key. */
      readonly salt: string;
      readonly wrapped: string;
      /** Of scrypt. */
      readonly cost?: { readonly N: number; readonly r: number; readonly p: number };
    };

export interface Keys {
  readonly isSealed: boolean;
  /** Of the content of an object; in a sealed repository it tells nobody else what the content is. */
  hasher(): Hash | Hmac;
  /** Of one object. */
  sealing(salt: Uint8Array): KeyObject | undefined;
  /** Seals and opens short texts, each bound to its place. */
  sealText(text: string, place: string): string;
  /** Undefined where it is not what was sealed there. */
  openText(sealed: string, place: string): string | undefined;
}

export const saltBytes = 16;
/** 64 MiB and some tenths of a second. */
const cost = { N: 2 ** 16, r: 8, p: 1 };
/** More memory is not asked for, whatever a file says. */
const maxMemory = 256 * 2 ** 20;
const wrapPlace = Buffer.from('key of a backup repository');
const keyId = Buffer.from('bkup');
const leastPassphrase = 8;
const leastKey = 32;

export const openKeys: Keys = {
  isSealed: false,
  hasher: () => createHash('sha256'),
  sealing: () => undefined,
  sealText: (text) => text,
  openText: (text) => text,
};

/** Throws `CodedError('BACKUP_KEY')` for one that is too short. */
export function makeLock(credential: Credential | undefined): { lock: Lock; keys: Keys } {
  if (!credential) return { lock: { kind: 'none' }, keys: openKeys };
  checkCredential(credential);
  const salt = randomBytes(saltBytes);
  const main = randomBytes(32);
  const given = derive(credential, salt, cost);
  const wrapped = openBox({ keyId, key: given }).seal([main], wrapPlace);
  const lock: Lock = {
    kind: credential.kind,
    salt: salt.toString('base64'),
    wrapped: Buffer.from(wrapped).toString('base64'),
    ...(credential.kind === 'passphrase' && { cost }),
  };
  return { lock, keys: keysOf(main) };
}

/** Throws `CodedError('BACKUP_KEY')` where the credential is missing, of the other kind, or wrong. */
export function unlock(lock: Lock, credential: Credential | undefined): Keys {
  if (lock.kind === 'none') return openKeys;
  if (!credential) throw new CodedError('BACKUP_KEY', [texts.missing[lock.kind]]);
  if (credential.kind !== lock.kind) throw new CodedError('BACKUP_KEY', [texts.otherKind[lock.kind]]);
  const given = derive(credential, Buffer.from(lock.salt, 'base64'), lock.cost ?? cost);
  const main = openBox({ keyId, key: given }).open(Buffer.from(lock.wrapped, 'base64'), wrapPlace);
  if (typeof main === 'string') throw new CodedError('BACKUP_KEY', [texts.wrong[lock.kind]]);
  return keysOf(Buffer.from(main));
}

function checkCredential({ kind, text }: Credential): void {
  const least = kind === 'passphrase' ? leastPassphrase : leastKey;
  if (text.length < least) throw new CodedError('BACKUP_KEY', [texts.short[kind](least)]);
}

function derive({ kind, text }: Credential, salt: Buffer, { N, r, p }: typeof cost): Buffer {
  if (kind === 'key') return Buffer.from(hkdfSync('sha256', text, salt, 'culprit-backup', 32));
  return scryptSync(text.normalize('NFC'), salt, 32, { N, r, p, maxmem: maxMemory });
}

function keysOf(main: Buffer): Keys {
  const derived = (salt: Uint8Array, info: string): Buffer => Buffer.from(hkdfSync('sha256', main, salt, info, 32));
  const none = Buffer.alloc(0);
  const nameKey = derived(none, 'names');
  const texts = openBox({ keyId, key: derived(none, 'texts') });
  return {
    isSealed: true,
    hasher: () => createHmac('sha256', nameKey),
    sealing: (salt) => createSecretKey(derived(salt, 'object')),
    sealText: (text, place) => Buffer.from(texts.seal([Buffer.from(text)], Buffer.from(place))).toString('base64'),
    openText(sealed, place) {
      const bytes = texts.open(Buffer.from(sealed, 'base64'), Buffer.from(place));
      return typeof bytes === 'string' ? undefined : Buffer.from(bytes).toString('utf8');
    },
  };
}
