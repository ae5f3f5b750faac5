/** Rules over real stores: events are stored as the pipeline does, then looked at. For tests. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { openTestApi, type TestApi } from '../../../api/testing.ts';
import { errorRow, hash, store } from '../../issues/testing/stores.ts';
import { makeUnsentChannel } from '../../notify/testing/channels.ts';
import { createFailures } from '../../../base/self/index.ts';
import { releaseAll } from '../../../ports/state/claims.ts';
import { createEvaluator } from '../evaluator.ts';

export interface RuleAnswer {
  readonly id: string;
  readonly state: string;
  readonly problem: string;
  readonly sentence: string;
  readonly value: number | null;
  readonly firedLast7Days: number;
}

interface HistoryEntry {
  readonly state: string;
  readonly why: string;
  readonly issue: { readonly shortId: string } | null;
  readonly deliveries: readonly { readonly id: string }[];
}

interface SentNotification {
  readonly title: string;
  readonly severity: string;
  readonly sections?: { readonly lines: readonly { readonly title: string }[] }[];
}

/** A node that looks when it is told to. */
interface Looker extends AsyncDisposable {
  look(): Promise<void>;
}

type RowFields = Partial<Parameters<typeof errorRow>[0]>;

export const rulesUrl = '/api/0/organizations/acme/alert-rules/';

/** An API of its own for the tests of a file, emptied before each of them. */
export function evaluatesRules() {
  let api: TestApi;
  let channel: string;
  let evaluator: Looker;
  const failed: unknown[] = [];

  const open = (): Looker => {
    const { state, events } = api;
    const failures = createFailures({ logger: { error: (fields) => failed.push(fields) } });
    const { look } = createEvaluator({ state, events, failures, getUrl: () => 'http://culprit.test' });
    const claimer = { node: randomUUID(), leaseMs: 20_000 };
    return { look: () => look(claimer), [Symbol.asyncDispose]: () => releaseAll(state, claimer.node) };
  };

  beforeAll(async () => {
    api = await openTestApi();
    channel = String(await makeUnsentChannel(api.state, api.organizationId));
  }, 60_000);
  afterAll(async () => {
    await evaluator?.[Symbol.asyncDispose]();
    await api?.[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    await evaluator?.[Symbol.asyncDispose]();
    for (const table of ['alert_rule', 'alert_firing', 'alert_lease', 'delivery', 'issue'] as const) {
      await api.state.db.deleteFrom(table).execute();
    }
    await api.events.command('TRUNCATE TABLE errors');
    await api.events.command('TRUNCATE TABLE issue_hours');
    failed.length = 0;
    evaluator = open();
  });

  const row = (name: string, overrides: RowFields = {}) =>
    errorRow({ project_id: api.projectId, group_hash: hash(name), error_value: name, ...overrides });

  /** As if so much time had gone by for the rules. */
  async function waitMinutes(minutes: number): Promise<void> {
    const ms = minutes * 60_000;
    for (const row of await api.state.db.selectFrom('alert_firing').select(['id', 'at']).execute()) {
      await api.state.db
        .updateTable('alert_firing')
        .set({ at: row.at - ms })
        .where('id', '=', row.id)
        .execute();
    }
    for (const row of await api.state.db.selectFrom('alert_rule_state').selectAll().execute()) {
      const back = {
        evaluated_at: row.evaluated_at - ms,
        message_at: row.message_at === null ? null : row.message_at - ms,
      };
      await api.state.db.updateTable('alert_rule_state').set(back).where('rule_id', '=', row.rule_id).execute();
    }
  }

  /** As a node that has just started: it remembers nothing. */
  async function look(): Promise<void> {
    await evaluator[Symbol.asyncDispose]();
    evaluator = open();
    await evaluator.look();
    expect(failed).toEqual([]);
  }

  return {
    get api() {
      return api;
    },
    /** Where rules tell what they find when the test does not say it. */
    get channel() {
      return channel;
    },
    /** That of the last look. */
    get evaluator() {
      return evaluator;
    },
    /** Another node, for the test to close. */
    openAnother: open,
    async makeRule(overrides: Readonly<Record<string, unknown>>): Promise<RuleAnswer> {
      const payload = {
        kind: 'issue',
        name: 'A rule',
        channelIds: [channel],
        conditions: [{ type: 'new_issue' }],
        ...overrides,
      };
      const answer = await api.call({ method: 'POST', url: rulesUrl, payload });
      if (answer.statusCode !== 201) throw new Error(answer.body);
      return answer.json<RuleAnswer>();
    },
    look,
    waitMinutes,
    async waitAndLook(minutes: number): Promise<void> {
      await waitMinutes(minutes);
      await look();
    },
    row,
    store: (rows: readonly ReturnType<typeof errorRow>[]): Promise<void> => store(api, rows),
    rowsOf: (name: string, count: number, overrides: RowFields = {}) =>
      Array.from({ length: count }, (_, index) => row(name, { user: `id:${index % 4}`, ...overrides })),
    async notifications(): Promise<SentNotification[]> {
      const rows = await api.state.db.selectFrom('delivery').select('notification').orderBy('id').execute();
      return rows.map((one) => JSON.parse(one.notification) as SentNotification);
    },
    history: (id: string): Promise<HistoryEntry[]> => api.get(`${rulesUrl}${id}/history/`),
  };
}
