/**
 * What a search asks of events, as conditions. Words and the keys of stacks are looked for among the distinct texts of
 * events (`error_texts`), and the events found by the number of theirs: a hundredth of what would be read otherwise.
 */
import type { SearchNode, SearchTerm } from '@culprit/search';
import { compileFilter, type FilterOptions } from '../../search/index.ts';
import type { SqlPart } from '../../../base/sql.ts';
import { allOf, conjuncts, everyTerm, someTerm } from './tree.ts';

export interface RowScope extends Omit<FilterOptions, 'prefix'> {
  readonly projectIds: readonly number[];
  /** Only events from then on are of interest; ms since the epoch. */
  readonly fromMs?: number | undefined;
}

/** Columns of `error_texts` that keys name. */
const scalars = new Set(['title', 'culprit', 'error_type', 'error_value', 'message']);
const arrays = new Set([
  'error_types',
  'error_values',
  'error_mechanisms',
  'stack_filenames',
  'stack_functions',
  'stack_modules',
  'stack_packages',
]);

const columnOf = (term: SearchTerm): { readonly kind: string; readonly column?: string } | undefined =>
  term.kind !== 'text' && 'place' in term.key ? term.key.place : undefined;

/** Costs more than a look at one dictionary. */
function isExpensive(term: SearchTerm): boolean {
  if (term.kind === 'text') return true;
  const place = columnOf(term);
  return place?.kind === 'message' || (place?.kind === 'array' && arrays.has(place.column ?? ''));
}

function isOfTexts(term: SearchTerm): boolean {
  const place = columnOf(term);
  return isExpensive(term) || (place?.kind === 'column' && scalars.has(place.column ?? ''));
}

/** On the table of events, for all events of the projects that may be of interest. */
export function rowConditions(rows: SearchNode | undefined, { projectIds, fromMs, ...options }: RowScope): SqlPart {
  const nodes = conjuncts(rows);
  const inTexts = nodes.filter((node) => everyTerm(node, isOfTexts));
  if (!inTexts.some((node) => someTerm(node, isExpensive))) return compileFilter(rows, 'events', options);
  const texts = compileAll(inTexts, { ...options, prefix: 'texts' });
  const others = compileAll(
    nodes.filter((node) => !inTexts.includes(node)),
    options,
  );
  const since = fromMs !== undefined && Number.isFinite(fromMs);
  return {
    conditions: [
      `texts IN (SELECT texts FROM error_texts WHERE ${[
        'project_id IN {textsProjects:Array(UInt64)}',
        ...(since ? ['day >= {textsFrom:Date}'] : []),
        ...texts.conditions,
      ].join(' AND ')})`,
      ...others.conditions,
    ],
    params: {
      ...texts.params,
      ...others.params,
      textsProjects: projectIds,
      ...(since ? { textsFrom: new Date(Math.max(0, fromMs)).toISOString().slice(0, 10) } : {}),
    },
  };
}

function compileAll(nodes: readonly SearchNode[], options: FilterOptions): SqlPart {
  const all = allOf(nodes);
  return compileFilter(typeof all === 'boolean' ? undefined : all, 'events', options);
}
