/** Counting and stopping, with a clock of its own and a store in memory that answers when it is told to. */
import { itemType } from '@culprit/envelope';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { defaultProjectSettings } from '../../process/types.ts';
import type { ScannedItem } from '../scan.ts';
import { testKey } from '../test-server.ts';
import { type KeyQuota, openQuotas, quotaLimits, type QuotaUse } from './index.ts';

const logger = pino({ level: 'silent' });
const nowMs = Date.parse('2026-11-27T10:00:10Z');
const november = 2026 * 12 + 10;

const item = (type: string, quantity = 1, bytes = 100): ScannedItem => ({
  type: itemType(type),
  header: { type },
  quantity,
  bytes,
  end: bytes,
});
const items = (count: number, type = 'event'): ScannedItem[] => Array.from({ length: count }, () => item(type));

const quota = (change: Partial<KeyQuota> = {}): KeyQuota => ({
  scope: 'project',
  category: 'error',
  period: 'month',
  amount: 3,
  isHard: true,
  ...change,
});

class Store {
  readonly sums = new Map<string, number>();
  isAway = false;
  readonly add = async (uses: readonly QuotaUse[]): Promise<number[]> => {
    if (this.isAway) throw new Error('away');
    return uses.map(({ target, category, period, term, added }) => {
      const name = `${target} ${category} ${period} ${term}`;
      const sum = (this.sums.get(name) ?? 0) + added;
      this.sums.set(name, sum);
      return sum;
    });
  };
}

/** Flushes when it is told to. */
const open = (store: Store) => openQuotas(store.add, logger, 1e9);

describe('a hard quota', () => {
  test('stops what is over, and says so with the last that passes', async () => {
    const store = new Store();
    await using quotas = open(store);
    const key = testKey({ quotas: [quota()] });
    expect(quotas.take(items(2), key, nowMs).size).toBe(0);
    expect(quotas.usedUp(key, nowMs)).toEqual([]);
    // The last request may go over, as half of one is of no use.
    expect(quotas.take(items(2), key, nowMs).size).toBe(0);
    const usedUp = quotas.usedUp(key, nowMs);
    expect(quotaLimits(usedUp, nowMs)).toEqual([
      { retryAfter: 3600, categories: ['error', 'security'], scope: 'project', reason: 'month_quota' },
    ]);
    const [stopped] = quotas.take([item('event'), item('transaction'), item('attachment')], key, nowMs).keys();
    expect(stopped?.type.name).toBe('event');
    await quotas.flush();
    expect(Object.fromEntries(store.sums)).toEqual({
      [`organization:org error month ${november}`]: 4,
      [`project:1 error month ${november}`]: 4,
      [`key:1 error month ${november}`]: 4,
      [`organization:org transaction month ${november}`]: 1,
      [`project:1 transaction month ${november}`]: 1,
      [`key:1 transaction month ${november}`]: 1,
    });
  });

  test('of 0 takes nothing at all', async () => {
    await using quotas = open(new Store());
    const key = testKey({ quotas: [quota({ amount: 0 })] });
    expect(quotas.take(items(1), key, nowMs).size).toBe(1);
  });

  test('counts attachments in bytes, and files go with the event that is stopped', async () => {
    await using quotas = open(new Store());
    const key = testKey({ quotas: [quota({ amount: 1 }), quota({ category: 'attachment', amount: 250 })] });
    const request = (): ScannedItem[] => [item('event'), item('attachment', 1, 200)];
    expect(quotas.take(request(), key, nowMs).size).toBe(0);
    expect([...quotas.take(request(), key, nowMs).keys()].map(({ type }) => type.name)).toEqual([
      'event',
      'attachment',
    ]);
    expect(quotas.take([item('attachment', 1, 200)], key, nowMs).size).toBe(0);
    expect(quotas.take([item('attachment', 1, 1)], key, nowMs).size).toBe(1);
  });

  test('of an organisation or a project holds for all keys of it, of a key for that one alone', async () => {
    await using quotas = open(new Store());
    const ofKey = quota({ scope: 'key', amount: 1 });
    const ofAll = [quota({ scope: 'organization', amount: 4 }), quota({ scope: 'project', amount: 2 })];
    const first = testKey({ quotas: [ofKey, ...ofAll] });
    const second = testKey({ keyId: 2, quotas: ofAll });
    const elsewhere = testKey({ keyId: 3, projectId: 2, quotas: [quota({ scope: 'organization', amount: 4 })] });
    const passes = (key: typeof first): boolean => quotas.take(items(1), key, nowMs).size === 0;
    expect([passes(first), passes(first), passes(second), passes(second)]).toEqual([true, false, true, false]);
    expect([passes(elsewhere), passes(elsewhere), passes(elsewhere)]).toEqual([true, true, false]);
  });

  test('per minute begins anew with the next one', async () => {
    await using quotas = open(new Store());
    const key = testKey({ quotas: [quota({ period: 'minute', amount: 1 })] });
    const passes = (ms: number): boolean => quotas.take(items(1), key, ms).size === 0;
    expect([passes(nowMs), passes(nowMs + 49_999), passes(nowMs + 50_000)]).toEqual([true, false, true]);
    expect(quotaLimits(quotas.usedUp(key, nowMs + 50_000), nowMs + 50_000)).toMatchObject([{ retryAfter: 60 }]);
  });
});

test('what is no quota of a category, or soft, stops nothing', async () => {
  const store = new Store();
  await using quotas = open(store);
  const key = testKey({ quotas: [quota({ amount: 0, isHard: false }), quota({ category: 'span', amount: 0 })] });
  const request = [...items(2), item('replay_event'), item('check_in'), item('client_report'), item('news_from_later')];
  expect(quotas.take(request, key, nowMs).size).toBe(0);
  await quotas.flush();
  const counted = [...store.sums].filter(([, sum]) => sum > 0).map(([name]) => name.split(' ')[1]);
  expect(counted).toEqual(['error', 'error', 'error']);
});

test('what the installation reports of itself is not counted', async () => {
  const store = new Store();
  await using quotas = open(store);
  const settings = { ...defaultProjectSettings, internal: true };
  expect(quotas.take(items(1), testKey({ settings, quotas: [quota({ amount: 0 })] }), nowMs).size).toBe(0);
  await quotas.flush();
  expect(store.sums.size).toBe(0);
});

test('what could not be stored is taken back', async () => {
  await using quotas = open(new Store());
  const key = testKey({ quotas: [quota({ amount: 1 })] });
  quotas.take(items(1), key, nowMs);
  quotas.giveBack(items(1), key, nowMs);
  expect(quotas.take(items(1), key, nowMs).size).toBe(0);
  expect(quotas.take(items(1), key, nowMs).size).toBe(1);
});

test('a month goes on after a restart, and over nodes', async () => {
  const store = new Store();
  const key = testKey({ quotas: [quota({ amount: 10 })] });
  {
    await using before = open(store);
    before.take(items(6), key, nowMs);
  }
  await using one = open(store);
  await using other = open(store);
  one.take(items(2), key, nowMs);
  other.take(items(2), key, nowMs);
  await one.flush();
  await other.flush();
  expect(other.take(items(1), key, nowMs).size).toBe(1);
  // The first one has not heard of it.
  expect(one.take(items(1), key, nowMs).size).toBe(0);
  await one.flush();
  expect(one.take(items(1), key, nowMs).size).toBe(1);
});

test('a quota that is set where others counted before knows of them with the first request', async () => {
  const store = new Store();
  await using quotas = open(store);
  quotas.take(items(1), testKey(), nowMs);
  await quotas.flush();
  await store.add([{ target: 'project:1', category: 'error', period: 'month', term: november, added: 10 }]);
  const key = testKey({ quotas: [quota({ amount: 5 })] });
  expect(quotas.take(items(1), key, nowMs).size).toBe(0);
  await expect.poll(() => quotas.usedUp(key, nowMs).length).toBe(1);
});

test('nothing is forgotten or counted twice while the store is away', async () => {
  const store = new Store();
  await using quotas = open(store);
  const key = testKey({ quotas: [quota({ amount: 5 })] });
  store.isAway = true;
  quotas.take(items(3), key, nowMs);
  await quotas.flush();
  await quotas.flush();
  quotas.take(items(2), key, nowMs);
  expect(quotas.take(items(1), key, nowMs).size).toBe(1);
  // A month later it is told what came before.
  const later = Date.parse('2026-12-01T00:00:00Z');
  expect(quotas.take(items(1), key, later).size).toBe(0);
  store.isAway = false;
  await quotas.flush();
  expect(store.sums.get(`project:1 error month ${november}`)).toBe(5);
  expect(store.sums.get(`project:1 error month ${november + 1}`)).toBe(1);
});

test('a clock that is put back goes on with what the store knows of the month', async () => {
  const store = new Store();
  await using quotas = open(store);
  const key = testKey({ quotas: [quota({ amount: 2 })] });
  quotas.take(items(2), key, nowMs);
  await quotas.flush();
  expect(quotas.take(items(1), key, Date.parse('2026-12-01T00:00:00Z')).size).toBe(0);
  // At most what comes until the store has answered.
  expect(quotas.take(items(1), key, nowMs).size).toBe(0);
  await quotas.flush();
  expect(quotas.take(items(1), key, nowMs).size).toBe(1);
});

test('the time zone of the organisation says which month it is', async () => {
  const store = new Store();
  await using quotas = open(store);
  const newYear = Date.parse('2026-12-31T23:30:00Z');
  quotas.take(items(1), testKey({ timeZone: 'Europe/Berlin' }), newYear);
  quotas.take(
    items(1),
    testKey({ timeZone: 'America/New_York', projectId: 2, keyId: 2, organizationId: 'b' }),
    newYear,
  );
  await quotas.flush();
  expect(store.sums.get(`project:1 error month ${2027 * 12}`)).toBe(1);
  expect(store.sums.get(`project:2 error month ${2026 * 12 + 11}`)).toBe(1);
});
