/** Real traffic of unmodified clients through the items. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parseEnvelope, parseEventId } from '@culprit/envelope';
import { describe, expect, it } from 'vitest';
import { sharedFolder } from '../steps/conformance-data.ts';
import type { ItemResult } from '../types.ts';
import { saidColumns } from './event/rows.ts';
import { processItem } from './index.ts';
import { context } from './testing.ts';

const captures = sharedFolder('fixtures/captures', 'processing of captured traffic') ?? '';
const nextjs = sharedFolder('fixtures/nextjs', 'digests of real Next.js errors') ?? '';

function processEnvelope(bytes: Uint8Array, name: string): { type: string; result: ItemResult }[] {
  const { header, items } = parseEnvelope(bytes);
  const sentAt = typeof header.sent_at === 'string' ? Date.parse(header.sent_at) : undefined;
  // The captures' own clock is right: what was sent arrives a moment later.
  const receivedAt = sentAt === undefined ? context.receivedAt : sentAt + 50;
  return items.map((item) => {
    const result = processItem(item, {
      ...context,
      receivedAt,
      sentAt,
      envelopeEventId: parseEventId(header.event_id),
      trace: header.trace as Record<string, unknown>,
    });
    expect(result.outcomes.length, name).toBeGreaterThanOrEqual(1);
    return { type: item.type, result };
  });
}

function events(folder: string, name: string) {
  return processEnvelope(readFileSync(join(folder, name)), name).flatMap(({ result }) => result.events ?? []);
}

describe.skipIf(captures === '')('captured traffic', () => {
  it('is accepted whole, each item with its category', () => {
    const counted = new Map<string, number>();
    for (const path of globSync(join(captures, '*/*.http.json')).sort()) {
      const { name, body } = JSON.parse(readFileSync(path, 'utf8')) as {
        name: string;
        body?: { file: string; contentEncoding?: string; envelopeItems?: string[] };
      };
      if (!body?.envelopeItems) continue;
      const stored = readFileSync(join(dirname(path), body.file));
      for (const { type, result } of processEnvelope(
        body.contentEncoding === 'gzip' ? gunzipSync(stored) : stored,
        name,
      )) {
        const [first] = result.outcomes;
        expect(first?.outcome, `${name} ${type}`).toEqual({ kind: 'accepted' });
        counted.set(
          `${type} ${first?.category}`,
          (counted.get(`${type} ${first?.category}`) ?? 0) + (first?.quantity ?? 0),
        );
        for (const { row, seed, grouping } of result.events ?? []) {
          expect(seed.title, name).not.toBe('');
          expect(grouping.basis, name).not.toBe('fallback');
          if (row.sdk_name.startsWith('sentry.javascript.')) expect(row.environment, name).not.toBe('');
          expect(row.payload).not.toMatch(/\\u0000/);
          expect(JSON.parse(row.payload)).toMatchObject({ event_id: row.event_id });
          expect(JSON.parse(row.payload)).toMatchObject(JSON.parse(row.facts) as object);
          expect(row, name).toMatchObject(saidColumns(JSON.parse(row.payload)));
        }
      }
    }
    expect([...counted.keys()].sort()).toEqual(
      expect.arrayContaining([
        'event error',
        'log log_item',
        'session session',
        'span span',
        'transaction transaction',
        'check_in monitor',
        'client_report internal',
      ]),
    );
  });

  it('gives a browser event its fields', () => {
    const [event] = events(captures, 'browser-stream/05-event.body');
    expect(event?.row).toMatchObject({
      event_id: '1253883d5aa4499f915032f909557bc1',
      timestamp: 1795230006180,
      level: 'error',
      platform: 'javascript',
      environment: 'production',
      release: 'web@5.6.7',
      dist: '99',
      transaction: '/',
      title: "TypeError: Cannot read properties of null (reading 'percent')",
      error_type: 'TypeError',
      handled: 0,
      mechanism: 'auto.browser.global_handlers.onerror',
      user: 'id:u-42',
      user_email: 'ada@example.com',
      user_ip: '203.0.113.9',
      trace_id: 'f0d99aa356a54a5aab63d5be80d7614a',
      span_id: '8261b80f79083b70',
      sdk_name: 'sentry.javascript.react',
      sdk_version: '11.12.0',
      tags: { tenant: 'acme', 'browser.name': 'HeadlessChrome', 'os.name': 'Linux', url: 'http://127.0.0.1:8080/' },
    });
    const payload = JSON.parse(event?.row.payload ?? '') as {
      breadcrumbs: { values: unknown[] };
      debug_meta: { images: unknown[] };
      exception: { values: { stacktrace: { frames: unknown[] } }[] };
    };
    expect(payload.breadcrumbs.values).toHaveLength(4);
    expect(payload.debug_meta.images).toHaveLength(2);
    expect(payload.exception.values[0]?.stacktrace.frames).toHaveLength(11);
  });

  it('gives a hand-made server event its fields', () => {
    const name = globSync(join(captures, 'node-rich-error/*event*.body'))[0] ?? '';
    const [event] = processEnvelope(readFileSync(name), name).flatMap(({ result }) => result.events ?? []);
    expect(event?.row).toMatchObject({ platform: 'node', sdk_name: 'sentry.javascript.node' });
    expect(JSON.stringify(event?.grouping.tree)).toContain('"fingerprint"');
    expect(Object.keys(event?.row.tags ?? {})).toEqual(
      expect.arrayContaining(['server_name', 'runtime.name', 'os.name']),
    );
  });

  it('keeps 100 breadcrumbs with all that may stand in them', () => {
    const name = globSync(join(captures, 'node-big-breadcrumbs/*event*.body'))[0] ?? '';
    const [event] = processEnvelope(readFileSync(name), name).flatMap(({ result }) => result.events ?? []);
    const payload = JSON.parse(event?.row.payload ?? '') as { breadcrumbs: { values: unknown[] } };
    expect(payload.breadcrumbs.values).toHaveLength(100);
  });

  it('makes reports of a browser events', () => {
    const titles = globSync(join(captures, 'browser-csp/*.body'))
      .sort()
      .map((path) => {
        const item = {
          type: 'raw_security',
          header: { sentry_release: 'web@5.6.7', sentry_environment: 'production' },
          payload: readFileSync(path),
        };
        return processItem(item, context).events?.[0]?.row.title;
      });
    expect(titles.slice(0, 2)).toEqual(["Blocked inline 'script'", "Blocked 'image' from '127.0.0.1:8081'"]);
  });
});

describe.skipIf(nextjs === '')('digests of Next.js', () => {
  it.each([
    ['next16-default-server.envelope', '2105903497'],
    ['next16-extraerrordata-server.envelope', /^\d+$/],
    ['next15-helper-server.envelope', /^\d+$/],
    ['next15-helper-browser.envelope', /^\d+$/],
    ['next15-framework-error-code-browser.envelope', /^\d*$/],
    ['next15-default-browser.envelope', ''],
  ])('%s', (name, digest) => {
    const [event] = events(nextjs, name);
    if (typeof digest === 'string') expect(event?.row.digest).toBe(digest);
    else expect(event?.row.digest).toMatch(digest);
  });

  it('lead from both sides to one error, and from two digests of one bug to one issue', () => {
    const [server] = events(nextjs, 'next15-helper-server.envelope');
    const [browser] = events(nextjs, 'next15-helper-browser.envelope');
    expect(server?.row.digest).toBe(browser?.row.digest);
    const [a] = events(nextjs, 'next15-same-bug-digest-a-server.envelope');
    const [b] = events(nextjs, 'next15-same-bug-digest-b-server.envelope');
    expect(a?.row.digest).not.toBe(b?.row.digest);
    expect(a?.grouping.hashes.some((hash) => b?.grouping.hashes.includes(hash))).toBe(true);
  });
});
