/**
 * M·N+1: a pattern of several spans, at least one of them a query, that repeats without a gap: the loop of an N+1 whose
 * body does more than one thing. Queries are alike by their hash, other spans by their op.
 */
import { calledFrom, withoutWrappers } from '../orm.ts';
import { isComplete, isConnecting, isDatabase, isKeyValue, shownQuery } from '../queries.ts';
import type { Detect, Problem } from '../problem.ts';
import { coveredUs, type Segment, type SegmentSpan, usOf } from '../segment.ts';
import { facts } from '../../../base/texts/detectors.ts';

const longestPattern = 8;
/** How far above its spans the common parent may be. */
const maxLevels = 3;
/** They follow an operation, so that no loop begins with one. */
const neverFirst = new Set(['prisma:client:serialize', 'prisma:engine:serialize']);

export const mnPlusOneDb: Detect<'mnPlusOneDb'> = (segment, settings) => {
  const spans = withoutWrappers(segment);
  const keys = spans.map(keyOf);
  const problems: Problem[] = [];
  let from = 0;
  for (let at = 2; at < spans.length; at++) {
    const start = patternStart(spans, keys, Math.max(from, at - longestPattern), at);
    if (start === undefined) continue;
    const length = at - start;
    let end = at;
    while (end < spans.length && keys[end] !== undefined && keys[end] === keys[end - length]) end++;
    const repetitions = Math.floor((end - start) / length);
    if (repetitions >= settings.repetitions) {
      const offenders = spans.slice(start, start + length * repetitions);
      const problem = judge(segment, offenders, length, settings);
      if (problem) problems.push(problem);
    }
    // A new pattern may begin in the last round of this one.
    from = end - length;
    at = end;
  }
  return problems;
};

/** Undefined is like nothing else. */
function keyOf({ op, hash, description }: SegmentSpan): string | undefined {
  if (op === '' || op === 'default') return description === '' ? undefined : `=${description}`;
  return op.startsWith('db') ? `${op}=${hash}` : op;
}

/** Where the pattern begins that the span at `at` begins again: the earliest, so that the pattern is whole. */
function patternStart(
  spans: readonly SegmentSpan[],
  keys: readonly (string | undefined)[],
  from: number,
  at: number,
): number | undefined {
  if (keys[at] === undefined) return undefined;
  for (let start = from; start < at - 1; start++) {
    if (keys[start] === keys[at] && isPattern(spans, keys, start, at)) return start;
  }
  return undefined;
}

function isPattern(
  spans: readonly SegmentSpan[],
  keys: readonly (string | undefined)[],
  start: number,
  end: number,
): boolean {
  let query = false;
  let different = false;
  for (let index = start; index < end; index++) {
    const span = spans[index];
    if (!span || (index === start && neverFirst.has(span.name))) return false;
    query ||= isDatabase(span) && !isKeyValue(span) && isComplete(span);
    different ||= keys[index] !== keys[start];
  }
  return query && different;
}

function judge(
  segment: Segment,
  offenders: readonly SegmentSpan[],
  length: number,
  { minDurationMs, minDbShare }: { readonly minDurationMs: number; readonly minDbShare: number },
): Problem | undefined {
  const totalUs = coveredUs(offenders);
  const queries = offenders.filter(isDatabase);
  if (totalUs < usOf(minDurationMs) || coveredUs(queries) < totalUs * minDbShare) return undefined;
  const parent = commonParent(segment, offenders);
  const query = queries.find((span) => !isConnecting(span));
  if (!parent || !query) return undefined;
  return {
    detector: 'mnPlusOneDb',
    fingerprint: ['m·n+1', parent.op, parent.hash, query.hash],
    subtitle: shownQuery(query),
    op: 'db',
    offenders,
    causes: queries,
    parents: [parent],
    facts: [
      { name: facts.pattern, value: offenders.slice(0, length).map(stepOf).join('\n') },
      { name: facts.repetitions, value: String(offenders.length / length) },
      ...calledFrom([...queries, parent]),
    ],
    data: {
      repeatingSpans: offenders.slice(0, length).map(stepOf),
      numRepeatingSpans: offenders.length,
      patternSize: length,
      numPatternRepetitions: offenders.length / length,
    },
  };
}

const stepOf = (span: SegmentSpan): string =>
  `${span.op} - ${isDatabase(span) ? shownQuery(span) : span.name.slice(0, 200)}`;

/** The nearest span above all of them; the root is above everything and tells nothing. */
function commonParent({ byId, root }: Segment, spans: readonly SegmentSpan[]): SegmentSpan | undefined {
  let common: readonly string[] | undefined;
  for (const span of spans) {
    const above: string[] = [];
    for (let id = span.parentId; id !== '' && above.length < maxLevels; id = byId.get(id)?.parentId ?? '')
      above.push(id);
    const known: readonly string[] | undefined = common;
    common = known ? above.filter((id) => known.includes(id)) : above;
    if (common.length === 0) return undefined;
  }
  const [nearest = ''] = common ?? [];
  return nearest === root?.id ? undefined : byId.get(nearest);
}
