import { join } from 'node:path';
import { expect, test } from 'vitest';
import { accessList, staleLists } from './lists.ts';

test('the lists of tables, item types, migrations and resources are what lies beside them; if not: npm run lists', () => {
  expect(staleLists(join(import.meta.dirname, '../server/src')).map(({ path }) => path)).toEqual([]);
});

test('docs/access.md is what the endpoints and roles say; if not: npm run lists', async () => {
  expect((await accessList()).map(({ path }) => path)).toEqual([]);
});
