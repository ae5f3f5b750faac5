/**
 * What members are mailed: what happened to issues that they follow, their week, and tokens that expire. What is to be told
 * is written down once; each mail comes once, or at most once where its node died between its last dot and the answer,
 * and then the delivery says that it is uncertain (docs/adr/0006-alerts-once.md).
 */
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { noteActivity } from '../../../domains/issues/activity.ts';
import { errorRow } from '../../../domains/issues/testing/stores.ts';
import { createFollowers } from '../../../domains/notify/followers.ts';
import type { MailReceiver } from '../../../domains/notify/testing/receiver.ts';
import { owner } from './owned.ts';
import {
  addIssues,
  type Aftermath,
  among,
  type Ground,
  mailOf,
  people,
  statesOf,
  storeNamed,
  type Work,
} from './work.ts';

const dayMs = 86_400_000;
/** Of a node at a time. */
const sentAtOnce = 8;

/** The last one at noon, UTC, when weeks are reported; ms since the epoch. */
export function mondayBefore(nowMs: number): number {
  const monday = new Date(nowMs - dayMs / 2);
  monday.setUTCDate(monday.getUTCDate() - ((monday.getUTCDay() + 6) % 7));
  return monday.setUTCHours(12, 0, 0, 0);
}

export function createMail(
  ground: Ground,
  { receiver, monday }: { readonly receiver: MailReceiver; readonly monday: number },
): Work {
  const { state, organizationId, isLong } = ground;
  const tokens = isLong ? 40 : 4;
  const atOnce = isLong ? 10 : 4;
  const expected = new Set<string>();
  let issueIds: number[] = [];

  /** Everybody but who did it is told. */
  async function act(): Promise<void> {
    for (let index = 0; index < atOnce; index += 1) {
      const userId = people[index % people.length] ?? '';
      const issueId = issueIds[index % issueIds.length] ?? 0;
      const data = { text: `comment ${expected.size}` };
      const [id] = await state.transaction((trx) =>
        noteActivity(trx, [{ issueId, type: 'note', userId, data, at: Date.now() }]),
      );
      for (const one of people) if (one !== userId) expected.add(`activity:${id}:${one}`);
    }
  }

  async function addTokens(): Promise<void> {
    const token = (index: number) => ({
      organization_id: organizationId,
      user_id: people[index % people.length] ?? '',
      name: `token ${index}`,
      token_hash: `hash ${index}`,
      token_hint: 'abcd',
      scopes: '[]',
      created_at: Date.now() - 100 * dayMs,
      last_used_at: null,
      expires_at: Date.now() + 10 * dayMs,
    });
    const rows = Array.from({ length: tokens }, (_, index) => token(index));
    const made = await state.db.insertInto('api_token').values(rows).returning(['id', 'user_id']).execute();
    for (const { id, user_id } of made) expected.add(`token-expires:${id}:14:${user_id}`);
  }

  /** What is to be told of each person and each thing, but for reports; of what a rule has given to somebody too. */
  async function wanted(): Promise<string[]> {
    const given = await state.db
      .selectFrom('issue_activity')
      .select('id')
      .where('type', '=', 'assigned')
      .where('user_id', 'is', null)
      .execute();
    return [...expected, ...given.map(({ id }) => `activity:${id}:${owner}`)].toSorted();
  }

  return {
    async begin() {
      // Nothing bounces, and the moments in which a kill leaves it open whether a mail came are long enough to be hit.
      receiver.beforeAccepting = () => delay(Math.random() * 40);
      await createFollowers({ state, getUrl: () => '' }).round();
      issueIds = await addIssues(ground, { from: 3_000_000, count: 3 });
      const follow = { is_active: 1, reason: 'manual', created_at: 1 } as const;
      const rows = issueIds.flatMap((issue_id) => people.map((user_id) => ({ issue_id, user_id, ...follow })));
      await state.db.insertInto('issue_subscription').values(rows).execute();
      // Something to report.
      await storeNamed(ground, [{ name: 'last week', timestamp: monday - 3 * dayMs }], errorRow);
      await addTokens();
      await act();
    },
    more: act,
    async left() {
      // Minutes pass: what waits to be told together is due.
      await state.db
        .updateTable('delivery')
        .set({ due_at: Date.now() })
        .where('state', '=', 'waiting')
        .where('batch', 'is not', null)
        .where('due_at', '>', Date.now())
        .execute();
      const rows = await state.db.selectFrom('delivery').select('key').execute();
      const known = new Set(rows.map(({ key }) => key));
      const missing = (await wanted()).filter((key) => !known.has(key)).length;
      const reports = people.length - [...known].filter((key) => key.startsWith('report:')).length;
      return missing + reports + among(await statesOf(state, 'delivery'), 'waiting', 'sending');
    },
    async check({ kills }: Aftermath) {
      const rows = await state.db.selectFrom('delivery').selectAll().execute();
      const isReport = ({ key }: { readonly key: string }): boolean => key.startsWith('report:');
      const keys = rows.filter((row) => !isReport(row)).map(({ key }) => key);
      expect(keys.toSorted()).toEqual(await wanted());
      expect(rows.filter(isReport).map((row) => row.user_id)).toEqual(expect.arrayContaining(people));
      expect(rows.filter(isReport)).toHaveLength(people.length);

      const idOf = (key: string, person: string): string => {
        const digest = createHash('sha256')
          .update(`${key} ${mailOf(person)}`)
          .digest('hex')
          .slice(0, 32);
        return `<${digest}.delivery@example.com>`;
      };
      const received = Map.groupBy(receiver.mails, ({ messageId }) => messageId ?? '');
      for (const { key, user_id, state: end } of rows) {
        const times = received.get(idOf(key, user_id ?? ''))?.length ?? 0;
        const allowed = end === 'sent' ? [1] : end === 'uncertain' ? [0, 1] : [0];
        expect(allowed, `${key} is ${end}`).toContain(times);
      }
      const ends = await statesOf(state, 'delivery');
      const { sent = 0, merged = 0, uncertain = 0 } = ends;
      expect(sent + merged + uncertain).toBe(rows.length);
      expect(uncertain).toBeLessThanOrEqual(kills * sentAtOnce);
      // What is told with another is told by one that was sent, or is as uncertain as that.
      const stateOf = new Map(rows.map((row) => [row.id, row.state]));
      for (const { merged_into } of rows.filter((row) => row.state === 'merged')) {
        expect(['sent', 'uncertain']).toContain(stateOf.get(merged_into ?? 0));
      }
    },
  };
}
