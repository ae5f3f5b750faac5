/** What a scrubbing rule calls the attributes that are measured, so that one can be offered that removes them. Pure. */
import type { SampledTable } from './sample.ts';
import { longestName } from './sizes.ts';

const roots: Readonly<Record<SampledTable, string>> = {
  errors: '$event',
  spans: '$span.data',
  logs: '$log.attributes',
};

/** Without it, the errors of a trace would not be found. */
const needed = new Set(['contexts.trace']);
const plain = /^[A-Za-z_][\w-]*$/;

/** Null for what no rule should remove as a whole, such as the text of a log, and for names that are cut. */
export function selectorOf(table: SampledTable, name: string): string | null {
  if (name.length >= longestName || needed.has(name)) return null;
  if (table !== 'errors') return isText(table, name) ? null : `${roots[table]}.${quoted(name)}`;
  const dot = name.indexOf('.');
  const [part, key] = [name.slice(0, dot), name.slice(dot + 1)];
  return dot < 0 || key === '' ? null : `${roots.errors}.${part}.${quoted(key)}`;
}

const isText = (table: SampledTable, name: string): boolean => name === (table === 'spans' ? 'description' : 'body');

const quoted = (key: string): string => (plain.test(key) ? key : `'${key.replaceAll("'", "''")}'`);
