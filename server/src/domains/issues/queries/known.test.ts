/** What is remembered of issues, when it is asked again, and that it says what the events store says. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLive, type Live, type LiveMessage } from '../../../base/live.ts';
import { steadyMs } from '../../../base/steady.ts';
import { KnownAnswers, type Question } from './known.ts';

let live: Live;
let known: KnownAnswers;
/** What the events store would say. */
let truth: Map<number, number>;
let asked: (readonly number[])[];
let askedAgain: (readonly number[])[];
/** Answers wait for it. */
let gate: Promise<void>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval', 'hrtime'] });
  live = createLive();
  known = new KnownAnswers({ live });
  truth = new Map();
  asked = [];
  askedAgain = [];
  gate = Promise.resolve();
});

afterEach(() => {
  known[Symbol.dispose]();
  vi.useRealTimers();
});

async function look(ids: readonly number[]): Promise<Map<number, number>> {
  const seen = new Map([...truth].filter(([id]) => ids.includes(id)));
  await gate;
  return seen;
}

const question = (key = 'counts', most = 500): Question<number> => ({
  key,
  weight: 4,
  most,
  read: (ids) => {
    asked.push(ids);
    return look(ids);
  },
  readAgain: (ids) => {
    askedAgain.push(ids);
    return look(ids);
  },
});

const ask = (ids: readonly number[], key?: string, most?: number) => known.ask(question(key, most), ids);

/** As a batch does: stored first, told then. */
function happen(...ids: readonly number[]): void {
  for (const id of ids) truth.set(id, (truth.get(id) ?? 0) + 1);
  live.publish({ type: 'events', projectId: 1, issueIds: ids, newIssueIds: [], count: ids.length, first: false });
}

const move = (...ids: readonly number[]): void => live.publish({ type: 'issues', projectId: 1, issueIds: ids });

test('what was asked is not asked again; issues without an answer have none the next time either', async () => {
  truth.set(1, 10);
  expect(await ask([1, 2])).toEqual(new Map([[1, 10]]));
  expect(await ask([2, 1])).toEqual(new Map([[1, 10]]));
  expect(asked).toEqual([[1, 2]]);
  truth.set(3, 30);
  expect(await ask([1, 2, 3])).toEqual(
    new Map([
      [1, 10],
      [3, 30],
    ]),
  );
  expect(asked).toEqual([[1, 2], [3]]);
  expect(await ask([1], 'other')).toEqual(new Map([[1, 10]]));
  expect(asked).toHaveLength(3);
});

test('an issue that got events is read again, soon', async () => {
  truth.set(1, 10).set(2, 20);
  await ask([1, 2]);
  happen(2);
  await vi.advanceTimersByTimeAsync(1);
  expect([asked, askedAgain]).toEqual([[[1, 2]], [[2]]]);
  expect(await ask([1, 2])).toEqual(
    new Map([
      [1, 10],
      [2, 21],
    ]),
  );
  expect(asked).toHaveLength(1);
});

test('nobody is given what was before', async () => {
  truth.set(1, 10).set(2, 20);
  await ask([1, 2]);
  happen(2);
  expect(await ask([1, 2])).toEqual(
    new Map([
      [1, 10],
      [2, 21],
    ]),
  );
  expect(asked).toEqual([[1, 2], [2]]);
});

test('all that wait for a list share a reading, which is no older than the last change', async () => {
  const list = { ...question('list'), ahead: true };
  await known.ask(list, [1]);
  const { promise, resolve } = Promise.withResolvers<void>();
  gate = promise;
  happen(1);
  const first = [known.ask(list, [1]), known.ask(list, [1])];
  happen(1);
  const later = known.ask(list, [1]);
  resolve();
  expect(await Promise.all([...first, later])).toEqual([new Map([[1, 2]]), new Map([[1, 2]]), new Map([[1, 2]])]);
  expect([asked, askedAgain]).toEqual([[[1]], [[1], [1]]]);
});

test('what changes while it is read is read once more', async () => {
  truth.set(1, 10);
  const { promise, resolve } = Promise.withResolvers<void>();
  gate = promise;
  const first = ask([1]);
  happen(1);
  resolve();
  expect(await first).toEqual(new Map([[1, 10]]));
  await vi.advanceTimersByTimeAsync(1);
  expect(await ask([1])).toEqual(new Map([[1, 11]]));
  expect([asked, askedAgain]).toEqual([[[1]], [[1]]]);
});

test('after a merge the next answer is a new one, also when it was being read', async () => {
  truth.set(1, 10);
  await ask([1]);
  truth.set(1, 50);
  move(1);
  expect(await ask([1])).toEqual(new Map([[1, 50]]));
  const { promise, resolve } = Promise.withResolvers<void>();
  gate = promise;
  move(1);
  const before = ask([1]);
  truth.set(1, 60);
  move(1);
  resolve();
  await before;
  expect(await ask([1])).toEqual(new Map([[1, 60]]));
});

test('what people do with an issue leaves its answers', async () => {
  await ask([1]);
  live.publish({ type: 'issues', projectId: 1, issueIds: [1], sameEvents: true });
  await ask([1]);
  expect([asked, askedAgain]).toEqual([[[1]], []]);
});

test('a slow answer does not replace a newer one', async () => {
  truth.set(1, 10);
  const { promise, resolve } = Promise.withResolvers<void>();
  gate = promise;
  const slow = ask([1]);
  await vi.advanceTimersByTimeAsync(5);
  truth.set(1, 11);
  gate = Promise.resolve();
  await ask([1]);
  resolve();
  await slow;
  expect(await ask([1])).toEqual(new Map([[1, 11]]));
});

test('what nobody has asked for lately is not read again, but forgotten', async () => {
  truth.set(1, 10);
  await ask([1]);
  await vi.advanceTimersByTimeAsync(31_000);
  happen(1);
  await vi.advanceTimersByTimeAsync(10);
  expect(askedAgain).toEqual([]);
  expect(await ask([1])).toEqual(new Map([[1, 11]]));
  expect(asked).toHaveLength(2);
});

test('where many changed those asked for last are read again', async () => {
  await ask([1, 2, 3], 'few', 2);
  await ask([1], 'few', 2);
  happen(1, 2, 3);
  await vi.advanceTimersByTimeAsync(1);
  expect(askedAgain).toEqual([[3, 1]]);
});

test('issues that get events are read before anybody asks for them, while somebody looks', async () => {
  const list = { ...question('list', 3), ahead: true };
  await known.ask(list, [1]);
  happen(2, 3);
  await vi.advanceTimersByTimeAsync(1);
  expect(await known.ask(list, [1, 2, 3])).toEqual(
    new Map([
      [2, 1],
      [3, 1],
    ]),
  );
  expect([asked, askedAgain]).toEqual([[[1]], [[2, 3]]]);
  happen(2, 4, 5, 6, 7, 8);
  await vi.advanceTimersByTimeAsync(1);
  expect(askedAgain[1]).toEqual([5, 6, 2]);
  await vi.advanceTimersByTimeAsync(31_000);
  happen(1, 9);
  await vi.advanceTimersByTimeAsync(1);
  expect(askedAgain).toHaveLength(2);
});

test('of many questions those asked last are read again', async () => {
  const keys = Array.from({ length: 8 }, (_, index) => `question ${index}`);
  for (const key of keys) await ask([1], key);
  happen(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(askedAgain).toHaveLength(6);
  for (const key of keys) expect(await ask([1], key)).toEqual(new Map([[1, 1]]));
  expect(asked).toHaveLength(10);
});

test('nothing is kept for ever', async () => {
  await ask([1]);
  await vi.advanceTimersByTimeAsync(601_000);
  await ask([1]);
  expect(asked).toHaveLength(2);
});

test('what there is no room for goes, the oldest question first', async () => {
  const many = Array.from({ length: 1_500 }, (_, index) => index);
  await ask(many, 'first');
  await ask(many, 'second');
  await ask(many, 'second');
  expect(asked).toHaveLength(2);
  await ask(many, 'first');
  expect(asked[2]).toHaveLength(952);
});

test('reading again by itself takes a tenth of the time at most', async () => {
  const slow: Question<number> = {
    ...question(),
    async readAgain(ids) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      askedAgain.push(ids);
      return look(ids);
    },
  };
  await known.ask(slow, [1]);
  for (let ms = 0; ms < 2_000; ms += 10) {
    happen(1);
    await vi.advanceTimersByTimeAsync(10);
  }
  expect(askedAgain.length).toBeGreaterThanOrEqual(9);
  expect(askedAgain.length).toBeLessThanOrEqual(10);
  expect(asked).toHaveLength(1);
});

test('a failure is told to who asks next, not to nobody', async () => {
  await ask([1]);
  gate = Promise.reject(new Error('the engine is away'));
  gate.catch(() => {});
  happen(1);
  await vi.advanceTimersByTimeAsync(1);
  await expect(ask([1])).rejects.toThrow('the engine is away');
});

/** Each event adds one; what is odd cannot be told. */
const growing: Question<number> = {
  key: 'growing',
  weight: 4,
  most: 500,
  grow: (answer, gains) => {
    const sum = answer + gains.reduce((all, { events }) => all + events, 0);
    return { answer: sum, isExact: sum % 2 === 0 };
  },
  read: (ids) => question().read(ids, false),
  readAgain: (ids) => question().readAgain(ids),
};

const gain = { hourMs: 0, environment: '', events: 1, unhandled: 0, lastSeen: 0, users: [] };

/** As `happen`, telling what is added. */
async function add(id: number, events = 1): Promise<void> {
  const fromMs = steadyMs();
  await vi.advanceTimersByTimeAsync(1);
  truth.set(id, (truth.get(id) ?? 0) + events);
  const issues = new Map([[id, Array.from({ length: events }, () => gain)]]);
  const gained = { issues, fromMs, untilMs: steadyMs() };
  await vi.advanceTimersByTimeAsync(1);
  live.publish({ type: 'events', projectId: 1, issueIds: [id], newIssueIds: [], count: events, first: false, gained });
}

const look1 = async () => (await known.ask(growing, [1])).get(1);

test('an answer grows by what events add, and nothing is read for it', async () => {
  truth.set(1, 10);
  await vi.advanceTimersByTimeAsync(1);
  await look1();
  await vi.advanceTimersByTimeAsync(1);
  await add(1, 2);
  await add(1, 4);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await look1()).toBe(16);
  expect([asked, askedAgain]).toEqual([[[1]], []]);
});

test('what was read after the rows were stored has them already; what was read meanwhile is read again', async () => {
  truth.set(1, 10);
  const fromMs = steadyMs();
  await vi.advanceTimersByTimeAsync(1);
  truth.set(1, 12);
  const untilMs = steadyMs();
  const issues = new Map([[1, [gain, gain]]]);
  const tell = (until: number): void =>
    live.publish({
      type: 'events',
      projectId: 1,
      issueIds: [1],
      newIssueIds: [],
      count: 2,
      first: false,
      gained: { issues, fromMs, untilMs: until },
    });
  await vi.advanceTimersByTimeAsync(1);
  await look1();
  tell(untilMs);
  expect(await look1()).toBe(12);
  expect([asked, askedAgain]).toEqual([[[1]], []]);
  tell(steadyMs());
  await vi.advanceTimersByTimeAsync(1);
  expect(await look1()).toBe(12);
  expect([asked, askedAgain]).toEqual([[[1]], [[1]]]);
});

test('events whose issue was chosen before a merge add to nothing', async () => {
  truth.set(1, 10);
  const fromMs = steadyMs();
  await vi.advanceTimersByTimeAsync(1);
  move(1);
  await vi.advanceTimersByTimeAsync(1);
  await look1();
  const gained = { issues: new Map([[1, [gain, gain]]]), fromMs, untilMs: steadyMs() };
  live.publish({ type: 'events', projectId: 1, issueIds: [1], newIssueIds: [], count: 2, first: false, gained });
  await vi.advanceTimersByTimeAsync(1);
  expect(await look1()).toBe(10);
  expect(askedAgain).toEqual([[1]]);
});

test('what cannot be added up lags for some seconds, and who was given it is told once it was read again', async () => {
  const told: LiveMessage[] = [];
  live.subscribe((message) => told.push(message));
  truth.set(1, 10);
  await vi.advanceTimersByTimeAsync(1);
  await look1();
  await vi.advanceTimersByTimeAsync(1);
  const { promise, resolve } = Promise.withResolvers<void>();
  gate = promise;
  await add(1);
  told.length = 0;
  expect(await look1()).toBe(11);
  await vi.advanceTimersByTimeAsync(1);
  expect([askedAgain, told]).toEqual([[[1]], []]);
  resolve();
  await vi.advanceTimersByTimeAsync(1);
  expect(told).toEqual([{ type: 'issues', projectId: 1, issueIds: [1], sameEvents: true }]);
  await vi.advanceTimersByTimeAsync(31_000);
  await add(1, 2);
  await vi.advanceTimersByTimeAsync(5_001);
  expect([asked, askedAgain]).toEqual([[[1]], [[1]]]);
  expect(await look1()).toBe(13);
  expect(asked).toHaveLength(2);
});

test('issues that may come to the top of a list are read before anybody asks, and looked for once in a while', async () => {
  for (const id of [1, 2, 3]) truth.set(id, id);
  let searches = 0;
  const behind = async () => {
    searches += 1;
    return [1, 2, 3];
  };
  await known.expect('counts', behind);
  await ask([1]);
  await known.expect('counts', behind);
  await known.expect('counts', behind);
  await vi.advanceTimersByTimeAsync(1);
  expect([searches, askedAgain]).toEqual([1, [[2, 3]]]);
  expect(await ask([1, 2, 3])).toEqual(new Map(truth));
  expect(asked).toEqual([[1]]);
  await vi.advanceTimersByTimeAsync(30_000);
  await known.expect('counts', () => Promise.reject(new Error('the state store is gone')));
});
