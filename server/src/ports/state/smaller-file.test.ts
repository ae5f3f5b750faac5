/** Deleted rows are given back to the disk, while others read and write, and through a kill. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openState } from './open.ts';
import type { State } from './state.ts';
import { onSqlite } from './testing/databases.ts';

const mib = 2 ** 20;
const rowBytes = 100_000;

async function fill(state: State, rows: number): Promise<void> {
  for (let row = 0; row < rows; row++)
    await state.db
      .insertInto('setting')
      .values({ name: `ballast ${row}`, value: String(row % 10).repeat(rowBytes) })
      .execute();
}

const clear = (state: State): Promise<unknown> =>
  state.db.deleteFrom('setting').where('name', 'like', 'ballast %').execute();

/** On disk, with the journal. */
async function sizeOf(dataDir: string): Promise<number> {
  const sizes = ['state.db', 'state.db-wal'].map((name) => stat(join(dataDir, name)).catch(() => ({ blocks: 0 })));
  return (await Promise.all(sizes)).reduce((sum, { blocks }) => sum + blocks * 512, 0);
}

onSqlite('a smaller file', ({ fresh }) => {
  test('is what deleted rows leave, a few pages at a time', async () => {
    const place = await fresh();
    await using state = await openState(place);
    await state.migrate();
    await fill(state, 300);
    const full = await sizeOf(place.dataDir);
    expect(full).toBeGreaterThan(28 * mib);
    expect(await state.shrink(), 'of what is held').toBe(0);
    await clear(state);

    const shrinking = state.shrink();
    const write = state.db.insertInto('setting').values({ name: 'meanwhile', value: '1' }).execute();
    const began = performance.now();
    await write;
    expect(performance.now() - began, 'others wait for a few pages alone').toBeLessThan(2_000);
    expect(await shrinking).toBeGreaterThan(27 * mib);
    expect(await sizeOf(place.dataDir)).toBeLessThan(3 * mib);
    expect(await state.db.selectFrom('setting').select('name').execute()).toEqual([{ name: 'meanwhile' }]);
  });

  test('one of an earlier version is written anew at a start, once', async () => {
    const place = await fresh();
    const earlier = new DatabaseSync(join(place.dataDir, 'state.db'));
    earlier.exec('create table of_earlier (value text); pragma journal_mode = wal');
    earlier.close();
    await using state = await openState(place);
    await state.migrate();
    await fill(state, 100);
    await clear(state);
    expect(await state.shrink(), 'of one that cannot').toBe(0);
    expect(await state.shrink({ isAlone: true })).toBeGreaterThan(8 * mib);
    expect(await sizeOf(place.dataDir)).toBeLessThan(3 * mib);
    await fill(state, 100);
    await clear(state);
    expect(await state.shrink()).toBeGreaterThan(8 * mib);
    expect(await sizeOf(place.dataDir)).toBeLessThan(3 * mib);
  });

  test.each([0, 80])('a kill %i ms later leaves it whole', async (afterMs) => {
    const place = await fresh();
    {
      await using state = await openState(place);
      await state.migrate();
      await fill(state, 200);
    }
    const child = spawn(process.execPath, [new URL('./testing/shrinker.ts', import.meta.url).pathname, place.dataDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    setTimeout(() => child.kill('SIGKILL'), afterMs);
    await once(child, 'exit');
    const database = new DatabaseSync(join(place.dataDir, 'state.db'));
    expect(database.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' });
    database.close();
    await using state = await openState(place);
    await state.shrink();
    expect(await state.db.selectFrom('setting').select('name').execute()).toEqual([]);
    expect(await sizeOf(place.dataDir)).toBeLessThan(3 * mib);
  });
});
