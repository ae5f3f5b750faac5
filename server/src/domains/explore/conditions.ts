/** Which rows a question is about, as conditions. */
import type { Field, SearchKey, SearchNode } from '@culprit/search';
import { inEnvironments, inProjects, type SqlPart } from '../../base/sql.ts';
import { rowConditions } from '../issues/index.ts';
import { compileFilter } from '../search/index.ts';
import { stretchSql } from './estimate/sample.ts';
import { issueCondition, type IssueTerms } from './issue-terms.ts';
import { languageOf, type Source } from './sources.ts';
import type { ExploreScope } from './types.ts';

const moment = (name: string): string => `fromUnixTimestamp64Milli({${name}:Int64}, 'UTC')`;

export function conditionsOf(
  scope: ExploreScope,
  source: Source,
  node: SearchNode | undefined,
  issueTerms: IssueTerms,
): SqlPart {
  const { dataSet, projects, environments, range, nowMs, latestReleases, sample } = scope;
  const ids = projects.map(({ id }) => id);
  const options = { nowMs, projects, latestReleases, issueTerm: issueCondition(issueTerms) };
  const language = languageOf(dataSet);
  const filter =
    language === 'events'
      ? rowConditions(node, { ...options, projectIds: ids, fromMs: range.startMs })
      : compileFilter(node, language, options);
  const parts: readonly SqlPart[] = [inProjects(ids), inEnvironments(environments)];
  return {
    conditions: [
      `${source.timeColumn} >= ${moment('askedFrom')}`,
      // What clients with a fast clock have dated into the future belongs to a range up to now.
      ...(range.open ? [] : [`${source.timeColumn} < ${moment('askedUntil')}`]),
      ...parts.flatMap(({ conditions }) => conditions),
      ...source.base,
      ...filter.conditions,
      ...(sample ? [`${stretchSql(sample)} IN {askedStretches:Array(UInt64)}`] : []),
    ],
    params: {
      askedFrom: Math.max(0, Math.floor(range.startMs)),
      ...(range.open ? {} : { askedUntil: Math.max(0, Math.ceil(range.endMs)) }),
      ...Object.assign({}, ...parts.map(({ params }) => params)),
      ...filter.params,
      ...(sample && { askedStretches: sample.drawn }),
    },
  };
}

/** The columns that a question reads; undefined where that takes more than columns. */
export function columnsRead(node: SearchNode | undefined, fields: readonly Field[]): string[] | undefined {
  const keys: (SearchKey | undefined)[] = [...keysIn(node), ...fields.flatMap(keysOfField)];
  const columns = keys.map((key) => key && columnOf(key));
  return columns.every((column) => column !== undefined) ? columns : undefined;
}

/** Undefined for what is about no key, or about more than one. */
function* keysIn(node: SearchNode | undefined): Generator<SearchKey | undefined> {
  if (!node) return;
  if ('nodes' in node) {
    for (const one of node.nodes) yield* keysIn(one);
  } else if (node.kind === 'text') {
    yield undefined;
  } else {
    yield 'place' in node.key ? node.key : undefined;
  }
}

/** Aggregates that read no more than their arguments and whether the span failed. */
const plain = new Set(
  'count eps epm tps tpm spm failure_rate failure_count p50 p75 p90 p95 p99 p100 avg sum min max count_unique'.split(
    ' ',
  ),
);

function keysOfField(field: Field): (SearchKey | undefined)[] {
  if (field.kind === 'key') return [field.key];
  if (!plain.has(field.key.name)) return [undefined];
  return field.args.flatMap((one) => (one.kind === 'key' ? [one.key] : []));
}

function columnOf({ place }: SearchKey): string | undefined {
  switch (place.kind) {
    case 'project':
      return 'project_id';
    case 'column':
    case 'number':
      // Of the span's segment: that takes a look at what the span is.
      return place.ofSegment ? undefined : place.column;
    case 'boolean':
    case 'time':
      return place.column;
    default:
      return undefined;
  }
}
