/** What an installation has in its state store is the same in the other database, and the same again on the way back. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unpackDataDir } from '../../../../../fixtures/data-dirs/index.ts';
import { openMigratedState } from '../open.ts';
import type { State } from '../state.ts';
import { sharedPostgres } from '../testing/postgres-server.ts';
import { compareValues, copyOnce } from './copy.ts';
import { openPostgresSide } from './postgres.ts';
import type { CopySide } from './side.ts';
import { openSqliteSide } from './sqlite.ts';

const calm = { signal: new AbortController().signal };

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'culprit-state-copy-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function place(name: string): Promise<{ dataDir: string; state: State }> {
  const dataDir = join(root, name);
  const { state } = await openMigratedState({ url: '', dataDir });
  return { dataDir, state };
}

test('there and back, while rows change', async () => {
  const from = join(root, 'from');
  await mkdir(from);
  await unpackDataDir('0.2.0', from);
  await using source = (await openMigratedState({ url: '', dataDir: from })).state;
  const url = await (await sharedPostgres()).createDatabase();
  await using target = (await openMigratedState({ url, dataDir: '' })).state;
  await using sqlite = openSqliteSide({ dataDir: from });
  await using postgres = await openPostgresSide({ url });
  expect(await postgres.migrations()).toEqual(await sqlite.migrations());

  const references = await postgres.references();
  await postgres.loosen();
  expect(references.length).toBeGreaterThan(100);
  const first = await copyOnce(sqlite, postgres, calm);
  expect(first.rows).toBeGreaterThan(500);
  expect(first).toMatchObject({ written: first.rows, removed: 0 });
  expect(await copyOnce(sqlite, postgres, calm)).toEqual({ ...first, written: 0 });

  // Two take each other's name, which neither may have beside the other; some go, some come.
  const users = await source.db.selectFrom('user').select(['id', 'email']).orderBy('id').execute();
  const [one, two] = users;
  if (!one || !two) throw new Error('there are two people');
  await source.transaction(async (trx) => {
    const rename = (id: string, email: string) => trx.updateTable('user').set({ email }).where('id', '=', id).execute();
    await rename(one.id, 'x@example.com');
    await rename(two.id, one.email);
    await rename(one.id, two.email);
    await trx.deleteFrom('issue').where('id', 'in', trx.selectFrom('issue').select('id').limit(3)).execute();
    await trx
      .insertInto('setting')
      .values([
        { name: 'ﬀ and 😀', value: 'ordered by bytes' },
        { name: '\ud83d\ude00', value: '' },
      ])
      .execute();
  });
  for (let pass = 0, differs = true; differs; pass += 1) {
    expect(pass).toBeLessThan(4);
    const { written, removed } = await copyOnce(sqlite, postgres, calm);
    differs = written + removed > 0;
  }
  await postgres.tighten(references);
  expect(await postgres.references()).toHaveLength(references.length);
  await expect(addIssue(target)).resolves.toBeGreaterThan(await highestIssue(source));
  await target.db.deleteFrom('issue').where('number', '=', 99_999).execute();

  const { dataDir, state: back } = await place('back');
  await using _ = back;
  await using returned = openSqliteSide({ dataDir });
  const again = await copyOnce(postgres, returned, calm);
  expect(again.tables).toEqual((await copyOnce(sqlite, postgres, calm)).tables);
  await returned.tighten([]);
  expect(await copyOnce(sqlite, returned, calm)).toMatchObject({ written: 0, removed: 0 });
  await expect(addIssue(back)).resolves.toBeGreaterThan(await highestIssue(source));
}, 60_000);

async function highestIssue({ db }: State): Promise<number> {
  const { id } = await db
    .selectFrom('issue')
    .select((eb) => eb.fn.max('id').as('id'))
    .executeTakeFirstOrThrow();
  return Number(id);
}

/** A copy of one that is there, under the next number. */
async function addIssue({ db }: State): Promise<number> {
  const { id: _, ...row } = await db.selectFrom('issue').selectAll().limit(1).executeTakeFirstOrThrow();
  const { id } = await db
    .insertInto('issue')
    .values({ ...row, number: 99_999 } as never)
    .returning('id')
    .executeTakeFirstOrThrow();
  return Number(id);
}

test('a store of another database of the same kind', async () => {
  const { dataDir, state } = await place('one');
  await using _ = state;
  await state.db.insertInto('setting').values({ name: 'a', value: 'b' }).execute();
  await using other = await place('other').then(({ state: opened }) => opened);
  await using from = openSqliteSide({ dataDir });
  await using to: CopySide = openSqliteSide({ dataDir: join(root, 'other') });
  expect(await copyOnce(from, to, calm)).toMatchObject({ rows: 1, written: 1 });
  expect(await sql`select name from setting`.execute(other.db)).toMatchObject({ rows: [{ name: 'a' }] });
});

test('nobody writes while it is frozen', async () => {
  const { dataDir, state } = await place('frozen');
  await using _ = state;
  await using side = openSqliteSide({ dataDir });
  const freeze = await side.freeze();
  let isWritten = false;
  const writing = state.db
    .insertInto('setting')
    .values({ name: 'a', value: 'b' })
    .execute()
    .then(() => (isWritten = true));
  expect((await copyOnce(side, openSqliteSide({ dataDir: (await place('copy')).dataDir }), calm)).rows).toBe(0);
  expect(isWritten).toBe(false);
  await freeze[Symbol.asyncDispose]();
  await writing;
});

test('order of keys', () => {
  const texts = ['', 'A', 'a', 'a\u0000', 'ﬀ', '😀'];
  for (const [at, a] of texts.entries()) {
    for (const [other, b] of texts.entries()) {
      expect(Math.sign(compareValues(a, b))).toBe(
        Math.sign(texts.toSorted(bytes).indexOf(a) - texts.toSorted(bytes).indexOf(b)),
      );
      void at;
      void other;
    }
  }
  expect([null, 2, 1].toSorted(compareValues)).toEqual([1, 2, null]);
});

const bytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
