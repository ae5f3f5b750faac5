/** What a search can name: the fields that every row has, and the tags, attributes and measurements that the data has. */
import { describeFunction, describeKey, findKey, functionsOf, keysOf } from '@culprit/search';
import type { Events } from '../../ports/events/events.ts';
import { during, inEnvironments, inProjects, where } from '../../base/sql.ts';
import { type RowCounts, rowTables, sampleOf } from './sample.ts';
import type { DataField, FieldScope } from './types.ts';

/** Names are few and common ones are wanted: a small sample shows them. */
const rowsForNames = 20_000;
const maxNames = 500;
/** What more rows than their number by this have is surely found. */
const namesCounted = 20_000;

/** Fields in the order of their table, then what was found in the data, most used first, then functions. */
export async function listFields(
  { events, counts }: { readonly events: Events; readonly counts: RowCounts },
  scope: FieldScope,
): Promise<{ readonly fields: readonly DataField[]; readonly sampled: boolean }> {
  const { set, projectIds, nowMs } = scope;
  const fields: DataField[] = keysOf(set)
    .filter((key) => key.scope === 'row')
    .map((key) => ({
      key: key.name,
      kind: 'field',
      type: key.type,
      description: describeKey(key, set),
      total: undefined,
    }));
  const functions: DataField[] = functionsOf(set).map(({ name, type }) => ({
    key: name,
    kind: 'function',
    type: type === 'argument' ? 'number' : type,
    description: describeFunction({ name }),
    total: undefined,
  }));
  if (projectIds.length === 0) return { fields: [...fields, ...functions], sampled: false };

  const sample = sampleOf(await counts.rows(set, projectIds, nowMs), rowsForNames);
  const { table, time, texts, numbers } = rowTables[set];
  const { sql, params } = where(inProjects(projectIds), inEnvironments(scope.environments), during(scope.range, time));
  const names = numbers
    ? `arrayConcat(arrayMap(name -> (name, 0), mapKeys(${texts})), arrayMap(name -> (name, 1), mapKeys(${numbers})))`
    : `arrayMap(name -> (name, 0), mapKeys(${texts}))`;
  // Counted within bounds that the most used keep their place in, however many names somebody invents.
  const found = await events.query<{ name: string; numeric: number; n: number }>(
    `SELECT tupleElement(hit.1, 1) AS name, tupleElement(hit.1, 2) AS numeric, hit.2 AS n
     FROM (
       SELECT arrayJoin(approx_top_k(${maxNames}, ${namesCounted})(one)) AS hit
       FROM (SELECT arrayJoin(${names}) AS one FROM ${table} PREWHERE ${sample.condition} WHERE ${sql})
       WHERE one.1 != '' AND length(one.1) <= 200
     )
     ORDER BY n DESC, name`,
    params,
    { maxExecutionSeconds: 5, ...(scope.signal && { signal: scope.signal }) },
  );
  return { fields: [...fields, ...found.map((row) => toField(row, scope)), ...functions], sampled: sample.partial };
}

function toField(
  { name, numeric, n }: { readonly name: string; readonly numeric: number; readonly n: number },
  { set }: FieldScope,
): DataField {
  const { place, type } = findKey(name, set);
  const description = describeKey({ name }, set);
  const isPlain = (place.kind === 'tag' || place.kind === 'path') && place.tag === name;
  const counted = { total: n };
  if (numeric) {
    const isNumber = place.kind === 'tag' && place.as === 'number';
    const key = isNumber ? name : `tags[${name},number]`;
    return { key, kind: 'measurement', type: isNumber ? type : 'number', description, ...counted };
  }
  // A tag that is called like a field is written so that it is told apart.
  return isPlain
    ? { key: name, kind: 'tag', type, description, ...counted }
    : { key: `tags[${name}]`, kind: 'tag', type: 'text', description: '', ...counted };
}
