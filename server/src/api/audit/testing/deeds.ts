/** Each call that is in the audit log, made once: the stores they are made in, and what each left there. For tests. */
import { inspect } from 'node:util';
import { expect } from 'vitest';
import { type Entry, listEntries } from '../../../domains/audit/index.ts';
import { recordFeedback } from '../../../domains/feedback/index.ts';
import { errorRow, hash, store } from '../../../domains/issues/testing/stores.ts';
import { endpoints } from '../../endpoints.ts';
import { openTeamApi, type Person, type TeamApi } from '../../teams/testing.ts';

export const project = '/api/0/projects/acme/web';
export const eventId = hash('event');
export const newPhrase = 'an entirely new phrase';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface Done {
  readonly id: string;
  readonly actions: string[];
  readonly entries: readonly Entry[];
}

export interface Made {
  readonly id: string;
}

export interface Deeds extends AsyncDisposable {
  readonly api: TeamApi;
  /** In the order in which they were done. */
  readonly done: Done[];
  /** By the message of its error. */
  readonly issueIds: ReadonlyMap<string, string>;
  lastSeq(): Promise<number>;
  /** Makes a call, and keeps what it left. */
  does<T = Record<string, unknown>>(id: string, method: Method, url: string, payload?: object, as?: Person): Promise<T>;
  /** What is done signed out, and perhaps after the answer. */
  doesAsNobody(id: string, url: string, payload: object): Promise<void>;
  itemOf(fields: object): object;
}

export async function openDeeds(): Promise<Deeds> {
  // Mails are queued; no test here sends one.
  const api = await openTeamApi({ smtpUrl: 'smtp://127.0.0.1:9' });
  const done: Done[] = [];
  const lastSeq = async (): Promise<number> =>
    (await listEntries(api.state, api.organizationId, {}, { limit: 1 })).entries[0]?.seq ?? 0;
  const keep = async (id: string, after: number): Promise<void> => {
    const { entries } = await listEntries(api.state, api.organizationId, {}, { after, limit: 100 });
    done.push({ id, actions: entries.map(({ action }) => action).toReversed(), entries });
  };
  const itemOf = (fields: object): object => ({
    project_id: api.projectId,
    received_at: Date.now(),
    outcome: 'accepted',
    reason: '',
    detail: '',
    headers: '{}',
    blob_key: '',
    ...fields,
  });
  const issueIds = await storeEvents(api, itemOf);
  return {
    api,
    done,
    issueIds,
    lastSeq,
    itemOf,
    async does<T>(...[id, method, url, payload, as]: Parameters<Deeds['does']>): Promise<T> {
      const definition = endpoints.find((one) => one.id === id);
      expect(definition?.method).toBe(method);
      const before = await lastSeq();
      const headers = as && { cookie: as.cookie, 'sec-fetch-site': 'same-origin' };
      const answer = await api.call({
        method,
        url,
        ...(payload && { payload }),
        ...(as && { token: '', headers }),
      });
      expect(answer.statusCode, `${id}: ${answer.body} ${inspect(api.errors.at(-1), { depth: 9 })}`).toBeLessThan(300);
      await keep(id, before);
      try {
        return answer.json<T>();
      } catch {
        return answer.body as T;
      }
    },
    async doesAsNobody(id, url, payload) {
      const before = await lastSeq();
      const headers = { 'sec-fetch-site': 'same-origin' };
      const answer = await api.app.inject({ method: 'POST', url, headers, payload });
      expect(answer.statusCode, `${id}: ${answer.body}`).toBeLessThan(300);
      await expect.poll(lastSeq, { timeout: 5_000 }).toBeGreaterThan(before);
      await keep(id, before);
    },
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}

/** Six issues, an event with feedback and a file, and the IDs of those issues. */
async function storeEvents(api: TeamApi, itemOf: Deeds['itemOf']): Promise<ReadonlyMap<string, string>> {
  const names = ['one', 'two', 'three', 'four', 'five', 'six'];
  const row = (name: string) =>
    errorRow({ project_id: api.projectId, group_hash: hash(name), error_value: name, event_id: hash(`${name} event`) });
  await store(api, [
    ...names.map(row),
    errorRow({ project_id: api.projectId, group_hash: hash('e'), event_id: eventId }),
  ]);
  const issueIds = new Map<string, string>();
  for (const name of names) {
    const found = await api.state.db
      .selectFrom('issue')
      .innerJoin('issue_hash', 'issue_hash.issue_id', 'issue.id')
      .select('issue.id')
      .where('issue_hash.hash', '=', hash(name))
      .executeTakeFirstOrThrow();
    issueIds.set(name, String(found.id));
  }
  const feedback = JSON.stringify({ contexts: { feedback: { message: 'It broke' } } });
  const said = itemOf({
    item_type: 'feedback',
    category: 'feedback',
    event_id: hash('said'),
    size_bytes: feedback.length,
    payload: feedback,
  });
  await recordFeedback(api, [said as never], () => Promise.resolve(''));
  const attached = itemOf({
    item_type: 'attachment',
    category: 'attachment',
    event_id: eventId,
    headers: JSON.stringify({ type: 'attachment', filename: 'a.log', content_type: 'text/plain' }),
    size_bytes: 5,
    payload: 'hello',
  });
  await api.events.insert('items', [attached as never], 'attachment a.log');
  return issueIds;
}
