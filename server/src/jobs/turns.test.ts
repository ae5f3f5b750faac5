import { expect, test } from 'vitest';
import type { Job, Turn } from '../base/jobs/index.ts';
import { unclaimed } from '../ports/state/claims.ts';
import { onSqlite } from '../ports/state/testing/databases.ts';
import type { State } from '../ports/state/state.ts';
import { openTurns } from './turns.ts';

const jobs = ['first', 'second'].map((name): Job => ({
  name,
  title: name,
  nodes: 'one',
  everyMs: 10,
  failed: '',
  run: async () => {},
}));

onSqlite('turns', ({ migrated }) => {
  test('what is taken while the others are being kept is not taken for lost', async () => {
    const state = await migrated();
    const rows = jobs.map(({ name }) => ({ ...idle, ...unclaimed(0), name }));
    await state.db.insertInto('job').values(rows).execute();
    const beats = createBeats(state.db);
    const turns = openTurns({ state: { ...state, db: beats.db } as State, node: 'a', leaseMs: 60 });
    try {
      const [first, second] = jobs;
      if (!first || !second) throw new Error('two jobs');
      const one = await turns.take(first);
      const answer = await beats.asked();
      const two = await turns.take(second);
      answer();
      // The next one is asked once the answer has been read.
      (await beats.asked())();
      for (const turn of [one, two]) expect(turn).toMatchObject({ isFresh: true, signal: { aborted: false } });
    } finally {
      turns.close();
    }
  });

  test('a job that was rung does not wait for when it was to run next', async () => {
    const state = await migrated();
    const hourly: Job = { ...(jobs[0] as Job), everyMs: 3_600_000 };
    await state.db
      .insertInto('job')
      .values({ ...idle, ...unclaimed(0), name: hourly.name })
      .execute();
    const turns = openTurns({ state, node: 'a', leaseMs: 60 });
    try {
      const first = (await turns.take(hourly)) as Turn;
      await first.end({ afterMs: hourly.everyMs, attempts: 0 });
      expect(await turns.take(hourly)).toMatchObject({ isClaimed: false });
      expect(await turns.take(hourly, true)).toMatchObject({ isFresh: true });
    } finally {
      turns.close();
    }
  });
});

const idle = {
  began_at: null,
  ended_at: null,
  detail: '',
  failed_at: null,
  waiting: null,
  running: null,
  noted_at: 0,
};

interface Beats {
  readonly db: State['db'];
  /** Resolves when the next was asked and answered; it is read when what it resolves to is called. */
  asked(): Promise<() => void>;
}

/** Every answer to "are these still mine?" waits until it is let through. */
function createBeats(db: State['db']): Beats {
  let next = Promise.withResolvers<() => void>();
  const slow = <T extends object>(target: T, isBeat: boolean): T =>
    new Proxy(target, {
      get(_, key) {
        const value: unknown = Reflect.get(target, key);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]): unknown => {
          const result: unknown = Reflect.apply(value, target, args);
          if (key === 'execute' && isBeat) return held(result as Promise<unknown>);
          const isBuilder = typeof result === 'object' && result !== null && !(result instanceof Promise);
          return isBuilder && key !== 'getExecutor' ? slow(result, isBeat || key === 'returning') : result;
        };
      },
    });
  const held = async (answer: Promise<unknown>): Promise<unknown> => {
    await answer;
    await new Promise<void>((resolve) => {
      next.resolve(resolve);
    });
    return answer;
  };
  return {
    db: slow(db, false),
    async asked() {
      const answer = await next.promise;
      next = Promise.withResolvers();
      return answer;
    },
  };
}
