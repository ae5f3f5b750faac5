/** Whatever a query says, its SQL is valid, and nothing of it but placeholders gets there. */
import { keysOf, parseField, parseSearch } from '@culprit/search';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestStores, type TestStores } from '../issues/testing/stores.ts';
import { createBinder } from './binding.ts';
import { fieldSql } from './fields.ts';
import { compileFilter, compileHaving, splitAggregates } from './filter.ts';

type Rows = 'events' | 'spans';
const dataSets: readonly Rows[] = ['events', 'spans'];

let stores: TestStores;
beforeAll(async () => {
  stores = await openTestStores();
});
afterAll(() => stores[Symbol.asyncDispose]());

const evil = "zq'); DROP TABLE errors; --";
const texts = fc.oneof(
  fc.constantFrom(
    'zqx',
    `"${evil}"`,
    '"zq}{0:String}"',
    '"zq\\"*"',
    '*zq*',
    '""',
    '*',
    '"zq%_\\\\"',
    'zq\ud800',
    'zq\0',
    '[zqa, "zq b"]',
  ),
  fc.constantFrom(
    '>5',
    '1.5k',
    '2m',
    '>100ms',
    '3kib',
    '-24h',
    '+7d',
    '2026-02-03',
    '<2026-02-03T10:00',
    'true',
    '0',
    '5%',
    '[1, 2]',
    '>=1.2.3-rc.1',
    '1.*',
  ),
  fc.string({ maxLength: 6 }).map((text) => `zq${text.replaceAll(/[\s()"]/g, '')}`),
);
const keys = (dataSet: Rows): fc.Arbitrary<string> =>
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.constantFrom(
        ...keysOf(dataSet)
          .filter((key) => key.scope === 'row')
          .map((key) => key.name),
      ),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        'zqtag',
        `"${evil}"`,
        'tags[zq,number]',
        'tags[zq,boolean]',
        'flags["zq\'"]',
        'contexts.zq.a',
        'app.zq',
        'measurements.zq',
        '__proto__',
      ),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        'count()',
        'p95(tags[zq,number])',
        `count_if(zqtag, equals, "${evil}")`,
        'count_unique(user)',
        'last_seen()',
        'epm()',
        'percentile(tags[zq,number], 0.3)',
      ),
    },
  );
const termsOf = (dataSet: Rows): fc.Arbitrary<string> =>
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .tuple(fc.constantFrom('', '!'), keys(dataSet), texts)
        .map(([not, key, value]) => `${not}${key}:${value}`),
    },
    { weight: 1, arbitrary: keys(dataSet).map((key) => `has:${key}`) },
    { weight: 1, arbitrary: fc.constantFrom('zq words', `"${evil}"`, '"zq*"', 'zq*', 'Zqß') },
  );
const queries = fc
  .constantFrom(...dataSets)
  .chain((dataSet) =>
    fc
      .array(fc.tuple(fc.constantFrom(' ', ' ', ' OR ', ' AND '), termsOf(dataSet)), { minLength: 1, maxLength: 5 })
      .map((parts) => ({ dataSet, query: parts.map(([joint, term], index) => (index ? joint : '') + term).join('') })),
  );

/** Throws where the query's own words stand in the text, or a parameter is not used. `{1,9}` is of a pattern of ours. */
function checkSql(sql: string, params: Readonly<Record<string, unknown>>): void {
  if (/zq|DROP|--/i.test(sql)) throw new Error(`the query's own words are in ${sql}`);
  const placeholders = [...sql.matchAll(/\{(?![\d,]+\})([^}]*)\}/g)].map(([, inside = '']) => inside);
  for (const inside of placeholders) {
    expect(inside).toMatch(/^[a-z]+\d+:(String|Float64|Int64|Array\((String|UInt64|Float64)\))$/);
  }
  const named = new Set(placeholders.map((inside) => inside.replace(/:.*/s, '')));
  expect([...named].toSorted()).toEqual(Object.keys(params).toSorted());
}

/** A whole query of what compiled; undefined where it is not to be run. */
function compiled(query: string, dataSet: Rows): { sql: string; params: Record<string, unknown> } | undefined {
  const { root, problems } = parseSearch(query, dataSet);
  if (problems.length) return undefined;
  const { rows, aggregates } = splitAggregates(root);
  const options = { nowMs: Date.now(), rangeSeconds: 60, projects: [{ id: 1, slug: 'web' }] };
  const where = compileFilter(rows, dataSet, options);
  const having = compileHaving(aggregates, dataSet, options);
  checkSql(where.conditions.join(' '), where.params);
  checkSql(having.conditions.join(' '), having.params);
  const part = (word: string, conditions: readonly string[]): string =>
    conditions.length ? `${word} ${conditions.join(' AND ')}` : '';
  return {
    sql: `SELECT count() AS n FROM ${dataSet === 'spans' ? 'spans' : 'errors'} ${part('WHERE', where.conditions)} ${part('HAVING', having.conditions)}`,
    params: { ...where.params, ...having.params },
  };
}

test('nothing of a query but placeholders gets into its SQL', () => {
  let run = 0;
  fc.assert(
    fc.property(queries, ({ query, dataSet }) => {
      if (compiled(query, dataSet)) run += 1;
    }),
    { numRuns: 2_000, examples: [[{ dataSet: 'events', query: 'release.build:>5 !release.build:<=1.2' }]] },
  );
  // Most of them are queries that may be run.
  expect(run).toBeGreaterThan(200);
});

test('the engine takes every query', async () => {
  const sampled = fc.sample(queries, { numRuns: 700, seed: 6 });
  const sql = sampled.flatMap(({ query, dataSet }) => compiled(query, dataSet) ?? []);
  expect(sql.length).toBeGreaterThan(100);
  // In one statement by the dozen: each has parameters of its own.
  for (let at = 0; at < sql.length; at += 12) {
    const params: Record<string, unknown> = {};
    const texts = sql.slice(at, at + 12).map((one, index) => {
      for (const [name, value] of Object.entries(one.params)) params[`q${index}${name}`] = value;
      return one.sql.replaceAll(/\{([a-z]+\d+):/g, `{q${index}$1:`);
    });
    await stores.events.query(texts.join(' UNION ALL '), params);
  }
});

test('columns are made of placeholders too', () => {
  for (const dataSet of dataSets) {
    for (const [column] of fc.sample(fc.tuple(keys(dataSet)), { numRuns: 300, seed: 6 })) {
      const field = parseField(column, dataSet);
      if ('code' in field) continue;
      const { bind, params } = createBinder('field');
      checkSql(fieldSql(field, dataSet, bind, { rangeSeconds: 60 }).sql, params);
    }
  }
});
