/** What the server computes secrets with, and what it lets run: what is not listed here needs a reason. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', 'server/src');

const sources = globSync('**/*.ts', { cwd: root })
  .filter((file) => !/\.test\.ts$|(?:^|\/)testing(?:\/|\.ts$)|(?:^|\/)contract\.ts$/.test(file))
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));

/** Files in which the pattern occurs. */
const filesWith = (pattern: RegExp): string[] =>
  sources.flatMap(({ file, text }) => (pattern.test(text) ? [file] : [])).toSorted();

/** What the first group of the pattern is, in all files. */
const found = (pattern: RegExp): string[] =>
  [...new Set(sources.flatMap(({ text }) => [...text.matchAll(pattern)].map(([, what = '']) => what)))].toSorted();

test('cryptography is what node:crypto has, and of that these parts', () => {
  const names = found(/import \{([^}]+)\} from 'node:crypto'/g).flatMap((list) =>
    list.split(',').map((one) => one.trim()),
  );
  expect([...new Set(names)].filter(Boolean).toSorted()).toEqual([
    // This, a pair of keys and signatures by them are for SAML.
    'X509Certificate',
    'createCipheriv',
    'createDecipheriv',
    'createHash',
    'createHmac',
    'createSecretKey',
    'generateKeyPair',
    'hash',
    'hkdfSync',
    'randomBytes',
    'randomInt',
    'randomUUID',
    'scryptSync',
    'sign',
    'timingSafeEqual',
    'type Hash',
    'type Hmac',
    'type KeyObject',
  ]);
  // The first is random text by the same, for ids as the library for sessions makes them; the last two are for SAML.
  const libraries = ['better-auth/crypto', 'node:crypto', 'xml-crypto', 'xml-encryption'];
  expect(found(/from '([^'.][^']*crypt[^']*)'/g)).toEqual(libraries);
  expect(found(/'((?:aes|aria|camellia|chacha20|des|rc[24]|bf|sm4)[-\d][\w-]*)'/g)).toEqual(['aes-256-gcm']);
  expect(found(/(?:createHmac|hkdfSync)\(\s*'(\w+)'/g)).toEqual(['sha1', 'sha256']);
  // What authenticator apps compute is HMAC-SHA1, which is as good as it was.
  expect(filesWith(/createHmac\(\s*'sha1'/)).toEqual(['domains/accounts/factors/time-codes.ts']);
  expect(found(/(?:createHash|\bhash)\(\s*'(\w+)'/g)).toEqual(['md5', 'sha1', 'sha256']);
});

test('hashes that can be forged are checksums of clients and keys of indexes only', () => {
  expect(filesWith(/(?:createHash|\bhash)\(\s*'(?:md5|sha1)'/)).toEqual([
    'domains/artifacts/chunks.ts',
    'domains/artifacts/indexing/assembled.ts',
    'domains/artifacts/receive-mappings.ts',
    'domains/attachments/list.ts',
    'domains/issues/similar/bands.ts',
    'ports/event-index/entries.ts',
    'ports/events/carry/verify.ts',
    'process/items/event/texts.ts',
    'process/steps/span/describe/index.ts',
  ]);
});

test('numbers that can be guessed are delays only', () => {
  expect(filesWith(/\bMath\.random\b/)).toEqual([
    'domains/audit/stream/webhook.ts',
    'domains/mirror/forwarder.ts',
    'domains/notify/notifier.ts',
    'domains/webhooks/webhooks.ts',
    'ports/events/carry/copy.ts',
    'ports/state/postgres.ts',
    'ports/state/sqlite-driver.ts',
    'ports/state/sqlite.ts',
  ]);
});

test('no text becomes code, but for two constants; no program is started but the own engine, without a shell', () => {
  expect(filesWith(/\beval\([^)]|\bnew Function\b|\bFunction\(|\bset(?:Timeout|Interval)\(\s*['"`]/)).toEqual([]);
  expect(found(/\bfrom 'node:vm'|\b(runIn\w*Context\([^)]*)/g).filter(Boolean)).toEqual([
    "runInNewContext('gc'",
    "runInNewContext('globalThis.gc'",
  ]);
  expect(found(/import \{([^}]+)\} from 'node:child_process'/g)).toEqual([' type ChildProcess, fork ']);
  expect(filesWith(/child_process/)).toEqual(['ports/events/supervisor.ts']);
});
