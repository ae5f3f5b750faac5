/** Near misses found by index, on both databases, for events that went through processing. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestStores, type TestStores } from '../testing/stores.ts';
import { makeProject, sendEvents } from '../../regroup/testing/send.ts';
import { onEachDatabase } from '../../../ports/state/testing/databases.ts';
import { createLive } from '../../../base/live.ts';
import { findIssue, mergeIssues } from '../index.ts';
import type { IssueRow } from '../types.ts';
import { bandsOf } from './bands.ts';
import { compare } from './compare.ts';
import type { Features } from './features.ts';
import { signHashes } from './sign.ts';
import { allowAgain, keepApart, similarIssues } from './similar.ts';

let engine: TestStores;
beforeAll(async () => {
  engine = await openTestStores();
}, 60_000);
afterAll(() => engine[Symbol.asyncDispose]());

const thrown = (type: string, value: string, functions: readonly string[]) => ({
  platform: 'node',
  exception: {
    values: [
      {
        type,
        value,
        stacktrace: {
          frames: functions.map((name) => ({
            function: name,
            filename: `/app/src/${name}.js`,
            abs_path: `/app/src/${name}.js`,
            in_app: true,
          })),
        },
      },
    ],
  },
});

const stack = ['main', 'serve', 'checkout', 'charge'];

onEachDatabase('similar issues', ({ migrated }) => {
  let stores: TestStores;
  let projectId: number;
  beforeEach(async () => {
    stores = { ...engine, state: await migrated() };
    projectId = await makeProject(stores);
  });

  const issue = async (number: number): Promise<IssueRow> => {
    const project = { id: projectId, slug: 'web', name: 'Web', platform: '', shortIdPrefix: 'WEB' };
    const found = await findIssue(stores.state, `WEB-${number}`, [project]);
    if (!found) throw new Error(`no issue ${number}`);
    return found;
  };
  const similar = async (number: number) => similarIssues(stores, await issue(number));
  const numbers = async (number: number) => (await similar(number)).map((one) => one.issue.number);

  test('same frames but one, with the frame marked; what is unlike is left out', async () => {
    await sendEvents(stores, projectId, [
      thrown('TypeError', 'no card', stack),
      thrown('TypeError', 'no card', ['main', 'serve', 'refund', 'charge']),
      thrown('TypeError', 'no card', ['main', 'serve', 'retry', 'checkout', 'charge']),
      thrown('SyntaxError', 'unexpected token', ['boot', 'parse', 'lex']),
    ]);
    const found = await similar(1);
    expect(found.map((one) => one.issue.number).toSorted()).toEqual([2, 3]);
    expect(found.find((one) => one.issue.number === 2)).toMatchObject({
      why: 'frames',
      count: 1,
      differing: [{ kind: 'frame', here: 'checkout in checkout.js', there: 'refund in refund.js' }],
    });
    expect(found.find((one) => one.issue.number === 3)?.differing).toEqual([
      { kind: 'frame', here: null, there: 'retry in retry.js' },
    ]);
    expect(await numbers(4)).toEqual([]);
  });

  test('the same message shape at other places, and messages that differ in one word', async () => {
    await sendEvents(stores, projectId, [
      thrown('Error', 'order 4711 not found in basket', ['a1', 'b1']),
      thrown('Error', 'order 99 not found in basket', ['c1', 'd1']),
      { message: 'could not read the file of user ada' },
      { message: 'could not read the file of user bob' },
      { message: 'something else' },
    ]);
    expect(await similar(1)).toMatchObject([{ issue: { number: 2 }, why: 'message' }]);
    expect(await similar(3)).toMatchObject([
      { issue: { number: 4 }, why: 'message', differing: [{ kind: 'message', here: expect.stringContaining('ada') }] },
    ]);
  });

  test('what was merged or is not the same is not offered', async () => {
    await sendEvents(stores, projectId, [
      thrown('TypeError', 'x', stack),
      thrown('TypeError', 'x', [...stack.slice(0, 3), 'refund']),
      thrown('TypeError', 'x', [...stack.slice(0, 3), 'transfer']),
    ]);
    expect((await numbers(1)).toSorted()).toEqual([2, 3]);
    const pair = { issueId: (await issue(1)).id, otherId: (await issue(3)).id };
    await stores.state.db
      .insertInto('user')
      .values({
        id: 'ada',
        name: 'Ada',
        email: 'ada@example.com',
        emailVerified: stores.state.capabilities.dialect === 'sqlite' ? 1 : true,
        image: null,
        createdAt: new Date(0).toISOString(),
        updatedAt: new Date(0).toISOString(),
      })
      .execute();
    await keepApart(stores.state, pair, 'ada', 1);
    await keepApart(stores.state, pair, 'ada', 2);
    expect(await numbers(1)).toEqual([2]);
    expect(await numbers(3)).toEqual([2]);
    await allowAgain(stores.state, { issueId: pair.otherId, otherId: pair.issueId });
    expect(await numbers(3)).toHaveLength(2);
    const request = { issueIds: [pair.issueId, pair.otherId], into: pair.issueId, userId: 'ada', nowMs: 3 };
    await mergeIssues({ ...stores, live: createLive() }, request);
    expect(await numbers(1)).toEqual([2]);
    expect(await numbers(2)).toEqual([1]);
  });

  test('other projects are nowhere', async () => {
    await sendEvents(stores, projectId, [thrown('TypeError', 'x', stack)]);
    await sendEvents(stores, await makeProject(stores), [thrown('TypeError', 'x', [...stack, 'more'])]);
    expect(await numbers(1)).toEqual([]);
  });

  test('signing in the background takes a few at a time until all are signed', async () => {
    await sendEvents(
      stores,
      projectId,
      Array.from({ length: 7 }, (_, index) => ({ message: `${'x'.repeat(index)}y now` })),
    );
    const rounds: number[] = [];
    for (let signed = 3; signed > 0;) rounds.push((signed = await signHashes(stores.state, 3)));
    expect(rounds).toEqual([3, 3, 1, 0]);
  });
});

describe('numbers of what is alike', () => {
  const frames = (count: number, other?: number): Features => ({
    type: 'E',
    message: '',
    frames: Array.from({ length: count }, (_, index) => {
      const key = index === other ? `other ${count}` : `frame ${index}`;
      return { key, text: key };
    }),
  });
  const share = (a: Features, b: Features): number => {
    const numbers = new Set(bandsOf(1, a));
    return bandsOf(1, b).filter((band) => numbers.has(band)).length;
  };

  test('any frame but one, of stacks of any length', () => {
    for (let count = 2; count <= 60; count++) {
      for (let other = 0; other < count; other++)
        expect(share(frames(count), frames(count, other)), `${count}`).toBeGreaterThan(0);
    }
  });

  test('are few, whatever the stack', () => {
    for (const count of [0, 1, 8, 9, 60]) {
      const words = Array.from({ length: 200 }, (_, index) => `w${index}`).join(' ');
      expect(bandsOf(1, { ...frames(count), message: words }).length).toBeLessThanOrEqual(20);
    }
  });

  test('likeness is the same from both sides', () => {
    const [a, b] = [frames(5), frames(6, 2)];
    expect(compare(a, b).score).toBe(compare(b, a).score);
    expect(compare(a, a)).toMatchObject({ differing: [] });
  });
});
