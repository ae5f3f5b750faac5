/**
 * The key of an installation, of which every other is derived: a text in `secret.key`, or in `CULPRIT_SECRET`. The same
 * text is the same key wherever it stands, so that a file can become the setting.
 */
import { hkdfSync } from 'node:crypto';
import { CodedError } from '../errors.ts';
import { secrets as texts } from '../texts/stores.ts';
import { type Box, type BoxSetup, openBox } from './box.ts';
import { keyFileOf, makeKeyFile, readKeyFile } from './key-file.ts';

/** What is sealed or signed; each has a key of its own. */
export type Purpose =
  | 'log record'
  | 'stored secret'
  | 'signing of sessions'
  | 'head of the audit log'
  | 'pseudonyms of users';

export interface Secrets {
  /** Tells one key from another, and nothing about it. */
  readonly fingerprint: string;
  /** Where the key stands: a path, or CULPRIT_SECRET. */
  readonly source: string;
  /** 32 bytes. */
  derive(purpose: Purpose): Buffer;
  /** For another thread. */
  boxSetup(purpose: Purpose): BoxSetup;
  box(purpose: Purpose): Box;
}

export interface SecretsOptions {
  readonly dataDir: string;
  /** '' for `secret.key` in the data directory. */
  readonly keyFile: string;
  /** Takes the place of the file; '' for none. */
  readonly secret: string;
}

/** Characters that a key has at least. */
export const shortestSecret = 32;

/** Makes the key file where there is none. Throws `CodedError('KEY_UNUSABLE')`. */
export async function openSecrets(options: SecretsOptions): Promise<Secrets> {
  if (options.secret) return secretsOf(options.secret, 'CULPRIT_SECRET');
  const path = keyFileOf(options);
  return secretsOf((await readKeyFile(path)) ?? (await makeKeyFile(path)), path);
}

/** Undefined where there is no key yet. */
export async function findSecrets(options: SecretsOptions): Promise<Secrets | undefined> {
  if (options.secret) return secretsOf(options.secret, 'CULPRIT_SECRET');
  const path = keyFileOf(options);
  const text = await readKeyFile(path);
  return text === undefined ? undefined : secretsOf(text, path);
}

/** The key itself, for whoever keeps it elsewhere; undefined where there is none. */
export async function readKeyText(options: SecretsOptions): Promise<string | undefined> {
  return options.secret || readKeyFile(keyFileOf(options));
}

/** Throws `CodedError('KEY_UNUSABLE')` for a text that is too short. */
export function secretsOf(keyText: string, source: string): Secrets {
  const text = keyText.trim();
  if (text.length < shortestSecret) {
    throw new CodedError('KEY_UNUSABLE', [source, texts.keyTooShort(text.length, shortestSecret)]);
  }
  const derived = (info: string, length: number): Buffer =>
    Buffer.from(hkdfSync('sha256', text, 'culprit', info, length));
  const fingerprint = derived('fingerprint', 8);
  const boxSetup = (purpose: Purpose): BoxSetup => ({
    keyId: Uint8Array.from(fingerprint.subarray(0, 4)),
    key: Uint8Array.from(derived(purpose, 32)),
  });
  return {
    fingerprint: fingerprint.toString('hex'),
    source,
    derive: (purpose) => derived(purpose, 32),
    boxSetup,
    box: (purpose) => openBox(boxSetup(purpose)),
  };
}
