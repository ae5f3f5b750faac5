/** Values of a field or tag, most frequent first, from the data. */
import { type Field, parseField } from '@culprit/search';
import type { Events } from '../../ports/events/events.ts';
import { during, inEnvironments, inProjects, where } from '../../base/sql.ts';
import { fieldSql, sentByRust } from '../search/index.ts';
import { type RowCounts, rowTables, type Sample, sampleOf } from './sample.ts';
import type { FieldScope, FieldValue, FieldValues } from './types.ts';

const rowsForValues = 100_000;
/** Where the value has to be dug out of the facts of an event. */
const factsForValues = 8_000;
/** What is longer helps nobody who chooses from a list. */
const longestValue = 300;
/** With as many of what was typed, all rows need not be looked at for more. */
const enoughToChoose = 3;
/** A rare value is looked for in all rows, and for no longer than this: what was found by then is the answer. */
const scanSeconds = 0.6;

/** Types of which there is something to choose: the rest is written. */
const listed: ReadonlySet<string> = new Set(['text', 'choice', 'version', 'integer']);

export interface ValuesQuestion extends FieldScope {
  /** As a search writes it: `release`, `browser.name`, `tags[level]`. */
  readonly key: string;
  /** What the value has in it, whatever the case; those that begin with it come first. */
  readonly text: string;
  readonly limit: number;
}

const none: FieldValues = { values: [], sampled: false };

export async function listValues(
  stores: { readonly events: Events; readonly counts: RowCounts },
  question: ValuesQuestion,
): Promise<FieldValues> {
  const { set, projectIds, nowMs, text, limit } = question;
  const field = parseField(question.key, set);
  if (!('kind' in field) || field.kind !== 'key' || projectIds.length === 0) return none;
  const { place, scope } = field.key;
  if (scope !== 'row' || !listed.has(field.type) || place.kind === 'nowhere') return none;
  const isBuried = place.kind === 'path' || place.kind === 'header' || place.kind === 'flag';
  const wanted = isBuried ? factsForValues : rowsForValues;
  const sample = sampleOf(await stores.counts.rows(set, projectIds, nowMs), wanted);
  const values = await readValues(stores.events, question, field, sample);
  // The sample need not have what is rare; who types the beginning of it means just that.
  const enough = Math.min(limit, text === '' ? 1 : enoughToChoose);
  if (!sample.partial || isBuried || values.length >= enough) {
    return { values, sampled: sample.partial };
  }
  const all = await readValues(stores.events, question, field, undefined);
  const seen = new Set(values.map(({ value }) => value));
  return { values: [...values, ...all.filter(({ value }) => !seen.has(value))].slice(0, limit), sampled: true };
}

const isPlatform = (field: Field): boolean =>
  field.kind === 'key' && field.key.place.kind === 'column' && field.key.place.column === 'platform';

/** What Rust's SDK sends is found under both names. */
const platforms = {
  sql: `if(${sentByRust}, ['native', 'rust'], [toString(platform)])`,
  type: 'Array(String)',
};

interface Row {
  readonly value: string;
  readonly n: number;
  readonly first: number;
  readonly last: number;
}

async function readValues(
  events: Events,
  question: ValuesQuestion,
  field: Field,
  sample: Sample | undefined,
): Promise<FieldValue[]> {
  const { set, projectIds, environments, range, text, limit, signal } = question;
  const bound: Record<string, unknown> = { limit };
  const bind = (type: string, value: unknown): string => {
    const name = `field${Object.keys(bound).length}`;
    bound[name] = value;
    return `{${name}:${type}}`;
  };
  const { sql: expression, type } = isPlatform(field) ? platforms : fieldSql(field, set, bind);
  const one = `toString(${type.startsWith('Array(') ? `arrayJoin(${expression})` : expression})`;
  const { table, time } = rowTables[set];
  const scope = where(inProjects(projectIds), inEnvironments(environments), during(range, time));
  const begins = text === '' ? '' : `startsWith(lowerUTF8(value), lowerUTF8(${bind('String', text)})) DESC,`;
  const holds = text === '' ? '1' : `positionCaseInsensitiveUTF8(value, ${bind('String', text)}) > 0`;
  const rows = await events.query<Row>(
    `SELECT value, count() AS n, toUnixTimestamp64Milli(toDateTime64(min(${time}), 3, 'UTC')) AS first,
       toUnixTimestamp64Milli(toDateTime64(max(${time}), 3, 'UTC')) AS last
     FROM (
       SELECT ${one} AS value, ${time} FROM ${table}
       PREWHERE ${sample?.condition ?? '1'} WHERE ${scope.sql}
     )
     WHERE value != '' AND length(value) <= ${longestValue} AND ${holds}
     GROUP BY value ORDER BY ${begins} n DESC, value LIMIT {limit:UInt32}
     SETTINGS ${sample ? '' : "max_rows_to_group_by = 50000, group_by_overflow_mode = 'any', "}
       max_execution_time = ${sample ? 5 : scanSeconds}, timeout_overflow_mode = '${sample ? 'throw' : 'break'}'`,
    { ...scope.params, ...bound },
    { maxExecutionSeconds: 5, ...(signal && { signal }) },
  );
  return rows.map(({ value, n, first, last }) => ({ value, count: n, firstSeen: first, lastSeen: last }));
}
