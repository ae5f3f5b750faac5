import { expect, test, vi } from 'vitest';
import { onEachDatabase } from '../../ports/state/testing/databases.ts';
import { openPreviews, type Previews, type PreviewTask } from './index.ts';

interface About {
  readonly rule: string;
}
interface Result {
  readonly merges: readonly string[];
}

onEachDatabase('previews of several nodes', (databases) => {
  async function open() {
    const state = await databases.migrated();
    const noted: unknown[] = [];
    const node = (id: string, kind: 'grouping' | 'alerts' = 'grouping'): Previews<About, Result> =>
      openPreviews<About, Result>({
        state,
        node: id,
        kind,
        maxRunning: 2,
        keepMs: 5_000,
        tellEveryMs: 20,
        silentMs: 1_000,
        failures: { note: (error) => void noted.push(error) as never },
        explain: (error) =>
          error instanceof RangeError ? { detail: 'too long' } : { detail: 'failed', message: 'it failed' },
      });
    return { state, node, noted };
  }

  /** Works until it is told what it comes to, or is broken off. */
  function held() {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    let progress: (share: number) => void = () => {};
    let isStopped = false;
    const task: PreviewTask<Result> = ({ signal, onProgress }) => {
      progress = onProgress;
      signal.addEventListener('abort', () => {
        isStopped = true;
        reject(new Error('broken off'));
      });
      return promise;
    };
    return { task, resolve, reject, onProgress: (share: number) => progress(share), isStopped: () => isStopped };
  }
  const about = { rule: 'type:Error -> one' };

  test('another node shows how far it is and what it came to', async () => {
    const { node, noted } = await open();
    await using mine = node('mine');
    await using theirs = node('theirs');
    await using other = node('theirs', 'alerts');
    const work = held();
    const started = await mine.start('7', about, work.task);
    const { id } = started.now();
    expect(await theirs.find('7', id)).toMatchObject({ id, about, status: 'running', progress: 0, detail: '' });
    expect(await theirs.find('8', id)).toBeUndefined();
    expect(await other.find('7', id)).toBeUndefined();
    work.onProgress(0.5);
    await expect.poll(async () => (await theirs.find('7', id))?.progress).toBe(0.5);
    const result = { merges: ['a\u0000', '\ud800'] };
    work.resolve(result);
    await started.ended;
    const done = { id, scope: '7', about, status: 'done', progress: 1, detail: '', result };
    expect(await mine.find('7', id)).toEqual(done);
    await expect.poll(() => theirs.find('7', id)).toEqual(done);
    expect(await mine.find('7', id)).toEqual(done);
    expect(noted).toEqual([]);
  });

  test('any node breaks it off, and what works on it finds that; the scope is asked for', async () => {
    const { state, node } = await open();
    await using mine = node('mine');
    await using theirs = node('theirs');
    const works = [held(), held()];
    const ids: string[] = [];
    for (const { task } of works) ids.push((await mine.start('7', about, task)).now().id);
    await expect(mine.start('7', about, held().task)).rejects.toMatchObject({ code: 'PREVIEWS_FULL' });
    expect(await theirs.cancel('8', ids[0]!)).toBe(false);
    expect(await mine.cancel('8', ids[0]!)).toBe(false);
    expect(await theirs.cancel('7', ids[0]!)).toBe(true);
    expect(await mine.cancel('7', ids[1]!)).toBe(true);
    expect(works[1]?.isStopped()).toBe(true);
    await expect.poll(() => works[0]?.isStopped()).toBe(true);
    for (const one of [mine, theirs]) expect(await one.find('7', ids[0]!)).toBeUndefined();
    expect(await theirs.cancel('7', ids[0]!)).toBe(false);
    expect(await state.db.selectFrom('preview').select('id').execute()).toEqual([]);
    // There is room again.
    const after = held();
    await mine.start('7', about, after.task);
    after.resolve({ merges: [] });
  });

  test('what fails says so everywhere; what nobody expects is noted', async () => {
    const { node, noted } = await open();
    await using mine = node('mine');
    await using theirs = node('theirs');
    const details: unknown[] = [];
    for (const error of [new RangeError('x'), new Error('surprise')]) {
      const started = await mine.start('7', about, () => Promise.reject(error));
      await started.ended;
      const { id } = started.now();
      await expect.poll(async () => (await theirs.find('7', id))?.status).toBe('failed');
      details.push((await theirs.find('7', id))?.detail);
    }
    expect(details).toEqual(['too long', 'failed']);
    expect(noted).toEqual([new Error('surprise')]);
  });

  test('of a node that stops, or was killed, nothing runs for ever', async () => {
    const { state, node } = await open();
    await using theirs = node('theirs');
    const stopping = node('stopping');
    const { id } = (await stopping.start('7', about, held().task)).now();
    await stopping[Symbol.asyncDispose]();
    expect(await theirs.find('7', id)).toMatchObject({ status: 'failed', detail: expect.stringMatching(/stopped/) });

    const left = { kind: 'grouping', scope: '7', about: JSON.stringify(about), status: 'running', detail: '' } as const;
    const now = Date.now();
    const row = (name: string, told_at: number) =>
      ({ id: name, ...left, progress: 0.1, node: 'killed', asked_at: now, told_at }) as const;
    await state.db
      .insertInto('preview')
      .values([row('silent', now - 2_000), row('there', now + 60_000)])
      .execute();
    expect(await theirs.find('7', 'silent')).toMatchObject({ status: 'failed', progress: 0.1 });
    expect(await theirs.find('7', 'there')).toMatchObject({ status: 'running' });
    await using again = node('killed');
    await expect.poll(async () => (await again.find('7', 'there'))?.status).toBe('failed');
  });

  test('what nobody asks for goes, and no more than a hundred are kept', async () => {
    const { state, node } = await open();
    await using mine = node('mine');
    const work = held();
    const { id } = (await mine.start('7', about, work.task)).now();
    // Somebody asks the node that works: it says so to the others.
    const before = Date.now() - 4_000;
    await state.db.updateTable('preview').set({ asked_at: before }).execute();
    await mine.find('7', id);
    const askedAt = async () => (await state.db.selectFrom('preview').select('asked_at').executeTakeFirst())?.asked_at;
    await expect.poll(askedAt).toBeGreaterThan(before);
    expect(work.isStopped()).toBe(false);
    const now = vi
      .spyOn(Date, 'now')
      .mockImplementation(() => Math.trunc(performance.timeOrigin + performance.now() + 6_000));
    try {
      await expect.poll(() => work.isStopped()).toBe(true);
      expect(await state.db.selectFrom('preview').select('id').execute()).toEqual([]);
    } finally {
      now.mockRestore();
    }
    const row = (index: number) => ({
      ...({
        kind: 'grouping',
        scope: '7',
        about: '{}',
        status: 'done',
        progress: 1,
        detail: '',
        result: '{}',
      } as const),
      id: String(index),
      node: 'theirs',
      asked_at: Date.now() + index,
      told_at: 1,
    });
    await state.db
      .insertInto('preview')
      .values(Array.from({ length: 150 }, (_, index) => row(index)))
      .execute();
    await (
      await mine.start('7', about, async () => ({ merges: [] }))
    ).ended;
    const count = async () => (await state.db.selectFrom('preview').select('id').execute()).length;
    await expect.poll(count).toBeLessThanOrEqual(101);
  });
});
