import { describe, expect, it } from 'vitest';
import { type AuthSources, readAuth } from './index.ts';

const key = '0123456789abcdef0123456789abcdef';
const other = 'fedcba9876543210fedcba9876543210';
const dsn = `https://${key}@monitor.example.com/7`;
const basic = (user: string) => `Basic ${btoa(`${user}:`)}`;

describe('a key is found', () => {
  it.each<[string, AuthSources, object]>([
    [
      'JavaScript SDK query',
      { query: `sentry_version=7&sentry_key=${key}&sentry_client=sentry.javascript.node%2F11.12.0` },
      { version: 7, client: 'sentry.javascript.node/11.12.0' },
    ],
    ['query with question mark', { query: `?a=1&sentry_key=${key}` }, { version: 7 }],
    [
      'header',
      { xSentryAuth: `Sentry sentry_version=7, sentry_client=raven-node/2.6.4, sentry_key=${key}, sentry_secret=x` },
      { version: 7, client: 'raven-node/2.6.4' },
    ],
    [
      'header of sentry-cli, no spaces needed',
      { xSentryAuth: `sentry sentry_key=${key},sentry_version=7,sentry_timestamp=1.5` },
      { version: 7 },
    ],
    ['header without the scheme', { xSentryAuth: `sentry_key=${key}` }, { version: 7 }],
    ['old protocol', { xSentryAuth: `Sentry sentry_version=5, sentry_key=${key}` }, { version: 5 }],
    ['Authorization: Sentry', { authorization: `Sentry sentry_key=${key}` }, { version: 7 }],
    ['Authorization: Basic', { authorization: basic(key) }, { version: 7 }],
    ['path', { pathKey: key }, { version: 7 }],
    ['DSN', { dsn }, { version: 7, dsnProjectId: '7' }],
    ['upper case', { pathKey: key.toUpperCase() }, { version: 7 }],
    [
      'equal in several places',
      {
        dsn,
        query: `sentry_key=${key}&sentry_key=${key}`,
        xSentryAuth: [`Sentry sentry_key=${key}`, `sentry_key=${key}`],
      },
      { version: 7, dsnProjectId: '7' },
    ],
    ['empty header beside a query', { xSentryAuth: ' ', query: `sentry_key=${key}` }, { version: 7 }],
    [
      'a site password on the way to a tunnel',
      { authorization: basic('staging'), dsn },
      { version: 7, dsnProjectId: '7' },
    ],
    ['a bearer token on the way to a tunnel', { authorization: 'Bearer abc', dsn }, { version: 7, dsnProjectId: '7' }],
  ])('%s', (_name, sources, expected) => {
    expect(readAuth(sources)).toEqual({ ok: true, auth: { publicKey: key, ...expected } });
  });
});

describe('trouble is returned', () => {
  it.each<[string, AuthSources, string]>([
    ['nothing', {}, 'AUTH_MISSING'],
    ['query without key', { query: 'a=b&sentry_version=7' }, 'AUTH_MISSING'],
    ['Basic that cannot be decoded', { authorization: 'Basic %%%' }, 'AUTH_MISSING'],
    ['header without key', { xSentryAuth: 'Sentry sentry_version=7' }, 'AUTH_MALFORMED'],
    ['key too short', { query: 'sentry_key=abc' }, 'AUTH_MALFORMED'],
    ['key with other characters', { pathKey: `${key.slice(1)}/` }, 'AUTH_MALFORMED'],
    ['broken percent escape', { query: 'sentry_key=%' }, 'AUTH_MALFORMED'],
    ['dsn that is none', { dsn: 'monitor.example.com' }, 'AUTH_MALFORMED'],
    ['dsn that is no text', { dsn: { a: 1 } }, 'AUTH_MALFORMED'],
    ['version no number', { query: `sentry_key=${key}&sentry_version=new` }, 'AUTH_MALFORMED'],
    ['version too new', { query: `sentry_key=${key}&sentry_version=8` }, 'PROTOCOL_VERSION'],
    ['two keys in a query', { query: `sentry_key=${key}&sentry_key=${other}` }, 'AUTH_CONFLICT'],
    ['two keys in two places', { query: `sentry_key=${key}`, dsn: dsn.replace(key, other) }, 'AUTH_CONFLICT'],
  ])('%s', (_name, sources, code) => {
    expect(readAuth(sources)).toMatchObject({ ok: false, code });
  });
});
