/** Queries one after the other of which some need nothing from those before, and could run at the same time. */
import { calledFrom, withoutWrappers } from '../orm.ts';
import { hasWhere, isComplete, isSelect, longest, queryText, shownQuery } from '../queries.ts';
import type { Detect, Problem } from '../problem.ts';
import { durationUs, type Segment, type SegmentSpan, sumUs, usOf } from '../segment.ts';
import { withUnit } from '../../../base/texts/intl.ts';
import { facts } from '../../../base/texts/detectors.ts';

const leastQueries = 2;

export const consecutiveDb: Detect<'consecutiveDb'> = (segment, settings) => {
  if (segment.sdkName.toLowerCase().includes('php') || isGraphql(segment)) return [];
  const problems: Problem[] = [];
  let chain: SegmentSpan[] = [];
  const close = (): void => {
    const problem = judge(segment, chain, settings);
    if (problem) problems.push(problem);
    chain = [];
  };
  for (const span of withoutWrappers(segment)) {
    if (!isSelect(span)) close();
    else {
      const last = chain.at(-1);
      if (last && last.endUs > span.startUs) close();
      chain.push(span);
    }
  }
  close();
  return problems;
};

/** One request asks for many things there, of which nobody knows which need which. */
function isGraphql({ root }: Segment): boolean {
  const { attributes = {} } = root ?? {};
  return [attributes['url.full'], attributes['url.path'], attributes['http.route'], root?.name].some(
    (place) => place !== undefined && /\/graphql\/?(?:[?#]|$)/.test(place),
  );
}

/** No summary of a query (`SELECT shop.books`), which says nothing of its conditions. */
const isWhole = (text: string): boolean => /\bfrom\b/i.test(text) && !hasWhere(text);

/** Without a condition and without a value it asks for nothing that another query could have found. */
const isIndependent = (span: SegmentSpan): boolean =>
  isComplete(span) && isWhole(queryText(span)) && !/%s|[?]|\$\d|@\w/.test(span.description);

function judge(
  segment: Segment,
  chain: readonly SegmentSpan[],
  {
    minSavedMs,
    minSavedShare,
    minSpanMs,
  }: { readonly minSavedMs: number; readonly minSavedShare: number; readonly minSpanMs: number },
): Problem | undefined {
  if (chain.length < leastQueries) return undefined;
  // The first has none before it that it could run beside.
  const independent = chain.slice(1).filter(isIndependent);
  const [first] = independent;
  if (!first || independent.some((span) => durationUs(span) <= usOf(minSpanMs))) return undefined;
  const totalUs = sumUs(chain);
  const savedUs = totalUs - Math.max(longest(independent), totalUs - sumUs(independent));
  if (savedUs < usOf(minSavedMs) || savedUs < totalUs * minSavedShare) return undefined;
  const prior = chain[chain.indexOf(first) - 1];
  return {
    detector: 'consecutiveDb',
    fingerprint: [prior?.hash ?? '', ...new Set(independent.map(({ hash }) => hash))],
    subtitle: shownQuery(first),
    op: 'db',
    offenders: independent,
    causes: chain,
    facts: [
      { name: facts.startingQuery, value: chain[0] ? shownQuery(chain[0]) : '' },
      { name: facts.parallelQueries, value: independent.slice(0, 20).map(shownQuery).join('\n') },
      { name: facts.timeSaved, value: withUnit(Math.round(savedUs / 1_000), 'ms') },
      ...calledFrom(independent),
    ],
    data: { repeatingSpans: shownQuery(first), savedMs: Math.round(savedUs / 1_000), transactionMs: rootMs(segment) },
  };
}

const rootMs = ({ root }: Segment): number | null => (root ? Math.round(durationUs(root) / 1_000) : null);
