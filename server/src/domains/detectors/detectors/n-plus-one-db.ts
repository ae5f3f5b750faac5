/**
 * N+1: one query, then the same other query again and again, each for a row of the first. All are children of one span.
 * Opening connections in between is part of the queries.
 */
import { calledFrom, withoutWrappers } from '../orm.ts';
import { isComplete, isConnecting, isDatabase, isKeyValue, queryText, shownQuery } from '../queries.ts';
import type { Detect, Problem } from '../problem.ts';
import { coveredUs, type Segment, type SegmentSpan, usOf } from '../segment.ts';
import { facts } from '../../../base/texts/detectors.ts';

export const nPlusOneDb: Detect<'nPlusOneDb'> = (segment, { count, minDurationMs }) => {
  const problems: Problem[] = [];
  let source: SegmentSpan | undefined;
  let run: SegmentSpan[] = [];
  const close = (): void => {
    const [first] = run;
    if (source && first && run.length >= count && coveredUs(run) >= usOf(minDurationMs) && isLegible(first)) {
      problems.push(toProblem(segment, source, run, first));
    }
  };
  for (const span of withoutWrappers(segment)) {
    if (isConnecting(span)) continue;
    if (!isDatabase(span) || isKeyValue(span)) {
      close();
      source = undefined;
      run = [];
      continue;
    }
    const last = run[0];
    if (source && last && last.hash === span.hash && last.parentId === span.parentId) {
      run.push(span);
      continue;
    }
    close();
    // What comes before a run is its source, itself the last of a run or not.
    const before = run.at(-1) ?? source;
    const follows = before && before.parentId === span.parentId && span.hash !== '' && before.hash !== span.hash;
    source = follows ? before : span;
    run = follows ? [span] : [];
  }
  close();
  return problems;
};

/** Calls to a document store must name what they ask for. */
function isLegible(span: SegmentSpan): boolean {
  const isMongo = span.attributes['db.system.name']?.includes('mongo') ?? false;
  return isComplete(span) && (!isMongo || queryText(span).includes('{'));
}

function toProblem(segment: Segment, source: SegmentSpan, run: readonly SegmentSpan[], first: SegmentSpan): Problem {
  const parent = segment.byId.get(first.parentId) ?? segment.root;
  return {
    detector: 'nPlusOneDb',
    fingerprint: ['n+1', parent?.op ?? '', parent?.hash ?? '', source.hash, first.hash],
    subtitle: shownQuery(first),
    op: 'db',
    offenders: run,
    causes: [source],
    parents: parent ? [parent] : [],
    facts: [
      { name: facts.sourceQuery, value: shownQuery(source) },
      { name: facts.repeatingQuery, value: shownQuery(first) },
      { name: facts.repetitions, value: String(run.length) },
      ...calledFrom(parent ? [...run, parent] : run),
    ],
    data: { repeatingSpans: shownQuery(first), numRepeatingSpans: run.length },
  };
}
