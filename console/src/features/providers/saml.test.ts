import { expect, test } from 'vitest';
import type { SamlCertificate } from './queries.ts';
import { endingCertificate } from './saml.ts';

const now = Date.parse('2026-11-26T12:00:00Z');
const day = 86_400_000;
const until = (days: number): SamlCertificate => ({
  subject: 'idp.example',
  expiresAt: new Date(now + days * day).toISOString(),
  fingerprint: 'AA',
  pem: '',
});

test.each([
  [[31], undefined],
  [[30], false],
  [[1], false],
  [[0], true],
  [[-1], true],
  // The next one is there already.
  [[-1, 400], undefined],
  [[3, 20], false],
  [[], undefined],
])('certificates that last %j days', (days, isOver) => {
  expect(endingCertificate(days.map(until), now)?.isOver).toBe(isOver);
});
