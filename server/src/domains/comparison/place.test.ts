import { expect, test } from 'vitest';
import { apiUrl } from './place.ts';

test.each([
  ['https://sentry.example', 'https://sentry.example'],
  ['https://sentry.example:8443/errors/', 'https://sentry.example:8443/errors'],
  ['https://o12.ingest.sentry.io', 'https://sentry.io'],
  ['https://o12.ingest.us.sentry.io', 'https://us.sentry.io'],
  ['https://o12.ingest.sentry.io.evil.example', 'https://o12.ingest.sentry.io.evil.example'],
  ['ftp://sentry.example', undefined],
  ['sentry', undefined],
])('%s', (text, url) => expect(apiUrl(text)).toBe(url));
