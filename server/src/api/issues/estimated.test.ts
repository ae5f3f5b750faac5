/** After a storm, the counts of hashes, of what was merged and of similar issues say how sure they are. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mergeIssues } from '../../domains/issues/index.ts';
import { errorRow, store } from '../../domains/issues/testing/stores.ts';
import { sendEvents } from '../../domains/regroup/testing/send.ts';
import { openTestApi, type TestApi } from '../testing.ts';

const thrown = (names: readonly string[]) => ({
  platform: 'node',
  exception: {
    values: [
      {
        type: 'TypeError',
        value: 'no card',
        stacktrace: { frames: names.map((name) => ({ function: name, filename: `${name}.js`, in_app: true })) },
      },
    ],
  },
});

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
  const { projectId } = api;
  await sendEvents(api, projectId, [
    thrown(['main', 'serve', 'checkout', 'charge']),
    thrown(['main', 'serve', 'refund', 'charge']),
  ]);
  const hashes = await api.state.db.selectFrom('issue_hash').select(['hash', 'issue_id']).orderBy('issue_id').execute();
  const first = [1, 2].map((id) => hashes.find(({ issue_id }) => issue_id === id)?.hash ?? '');
  const groups = first.flatMap((group_hash) =>
    Array.from({ length: 40 }, () => ({ ...errorRow({ project_id: projectId, group_hash }), stands_for: 9 })),
  );
  await store(api, groups);
}, 60_000);
afterAll(() => api?.[Symbol.asyncDispose]());

/** 40 groups of ten and one: 1.96 * sqrt(40 * 90 + 90) = 119.1. */
const counted = { count: 401, estimated: { low: 281, high: 521 } };

test('similar issues and hashes', async () => {
  expect(await api.get('/api/0/issues/1/similar/')).toMatchObject([{ issue: { id: '2', ...counted } }]);
  const hashes = await api.get<{ count: number; estimated: unknown }[]>('/api/0/issues/1/hashes/');
  expect(hashes[0]).toMatchObject(counted);
  expect(hashes.slice(1).map(({ estimated }) => estimated)).toEqual(hashes.slice(1).map(() => null));
});

test('what was merged', async () => {
  await mergeIssues(api, { issueIds: [1, 2], into: 1, userId: api.userId, nowMs: Date.now() });
  const { count: events, estimated } = counted;
  expect(await api.get('/api/0/issues/WEB-1/merges/')).toMatchObject([{ events, estimated }]);
});
