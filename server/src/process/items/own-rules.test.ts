/** Rules of members on real traffic: nothing fails whatever they take, and what they take is nowhere in what is stored. */
import { parseEnvelope, parseEventId } from '@culprit/envelope';
import { beforeAll, describe, expect, it } from 'vitest';
import { listFixtures, listLanguageFixtures, readFixture, readLanguageFixture } from '../../../../fixtures/index.ts';
import type { SpanRow } from '../../base/tables/spans.ts';
import type { Event } from '../steps/event.ts';
import { loadPatterns } from '../steps/scrub/index.ts';
import { defaultProjectSettings, type ItemResult } from '../types.ts';
import { processItem } from './index.ts';
import { context } from './testing.ts';

const fixtures = [...listFixtures().map(readFixture), ...listLanguageFixtures().map(readLanguageFixture)].filter(
  ({ meta }) => meta.path.includes('/envelope/'),
);

beforeAll(loadPatterns);

function processed(bytes: Uint8Array, rules: object, more: Partial<typeof defaultProjectSettings> = {}): ItemResult[] {
  const { header, items } = parseEnvelope(bytes);
  const settings = { ...defaultProjectSettings, scrubRules: JSON.stringify(rules), pseudonymKey: 'key', ...more };
  const sentAt = typeof header.sent_at === 'string' ? Date.parse(header.sent_at) : undefined;
  return items.map((item) =>
    processItem(item, {
      ...context,
      settings,
      sentAt,
      remoteAddress: '203.0.113.7',
      receivedAt: sentAt === undefined ? context.receivedAt : sentAt + 50,
      envelopeEventId: parseEventId(header.event_id),
      trace: header.trace as Record<string, unknown>,
    }),
  );
}

const expectNoFault = (results: readonly ItemResult[], about: object): void => {
  const faults = results.flatMap(({ outcomes }) =>
    outcomes.filter(({ outcome }) => 'reason' in outcome && outcome.reason === 'internal'),
  );
  if (faults.length > 0) expect({ ...about, faults }).toEqual({ ...about, faults: [] });
};

/** Of an event: each place that a selector can name, without the numbers of lists. */
function pathsOf(value: unknown, path: readonly string[] = [], found = new Set<string>()): Set<string> {
  if (path.length > 0) found.add(path.join('.'));
  if (typeof value !== 'object' || value === null || path.length > 7) return found;
  if (Array.isArray(value)) for (const entry of value.slice(0, 3)) pathsOf(entry, [...path, '*'], found);
  else
    for (const [key, entry] of Object.entries(value))
      pathsOf(entry, [...path, `'${key.replaceAll("'", "''")}'`], found);
  return found;
}

describe('recorded traffic', () => {
  it.each(['$string', '**', '$object', '$array', '$number', '$event || **'])(
    'everything under %s can go',
    (selector) => {
      for (const rule of ['@anything:remove', '@anything:hash', '@common'])
        for (const { name, bytes } of fixtures)
          expectNoFault(processed(bytes, { applications: { [selector]: [rule] } }), { name, rule });
    },
  );

  it('each place of an event can go by itself', () => {
    const seen = new Set<string>();
    for (const { name, bytes } of fixtures) {
      for (const { events } of processed(bytes, { applications: {} })) {
        for (const { row } of events ?? []) {
          for (const path of pathsOf(JSON.parse(row.payload))) {
            if (seen.has(path)) continue;
            seen.add(path);
            expectNoFault(processed(bytes, { applications: { [path]: ['@anything:remove'] } }), { name, path });
          }
        }
      }
    }
    expect(seen.size).toBeGreaterThan(300);
  });

  it('has no user but by a pseudonym, where that is set', () => {
    const isPseudonym = /^[\dA-F]{40}$/;
    let users = 0;
    for (const { name, bytes } of fixtures) {
      for (const { events, rows } of processed(bytes, { applications: {} }, { pseudonymizeUsers: true })) {
        for (const { row } of events ?? []) {
          expect(row.user, name).toMatch(/^$|^(?:id|username|email):[\dA-F]{40}$/);
          const { user } = JSON.parse(row.payload) as Event;
          expect(user?.ip_address ?? user?.name ?? user?.data, name).toBeUndefined();
          for (const text of [user?.id, user?.username, user?.email])
            if (text !== undefined) users += Number(isPseudonym.test(text)) || Number.NaN;
        }
        for (const { user, attributes } of (rows?.spans ?? []) as SpanRow[]) {
          expect(user, name).toMatch(/^$|^(?:id|username|email):[\dA-F]{40}$/);
          for (const [key, text] of Object.entries(attributes))
            if (/^user\.(?:id|name|email)$/.test(key)) users += Number(isPseudonym.test(text)) || Number.NaN;
          expect(attributes).not.toHaveProperty(['user.ip_address']);
        }
      }
    }
    expect(users).toBeGreaterThan(20);
  });
});
