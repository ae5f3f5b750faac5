/** Slow calls of a server one after the other, which could run at the same time. */
import { callOf, isBrowser, isCall, isOfNext, pathOf } from '../calls.ts';
import type { Detect, Problem } from '../problem.ts';
import { longest } from '../queries.ts';
import { durationUs, type SegmentSpan, sumUs, usOf } from '../segment.ts';
import { withUnit } from '../../../base/texts/intl.ts';
import { facts } from '../../../base/texts/detectors.ts';

const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

export const consecutiveHttp: Detect<'consecutiveHttp'> = (segment, settings) => {
  if (isBrowser(segment)) return [];
  const problems: Problem[] = [];
  let chain: SegmentSpan[] = [];
  const close = (): void => {
    const savedUs = sumUs(chain) - longest(chain);
    if (chain.length >= settings.count && savedUs >= usOf(settings.minSavedMs))
      problems.push(toProblem(chain, savedUs));
    chain = [];
  };
  for (const span of segment.spans) {
    if (durationUs(span) < usOf(settings.minSpanMs) || !isEligible(span)) continue;
    const last = chain.at(-1);
    if (last && (last.endUs > span.startUs || span.startUs - last.endUs >= usOf(settings.maxGapMs))) close();
    chain.push(span);
  }
  close();
  return problems;
};

function isEligible(span: SegmentSpan): boolean {
  if (!isCall(span)) return false;
  const { method, url } = callOf(span);
  return methods.has(method) && url !== '' && !isOfNext(url);
}

function toProblem(chain: readonly SegmentSpan[], savedUs: number): Problem {
  const calls = chain.map(callOf);
  const shown = calls.map(({ method, url }) => `${method} ${url}`);
  return {
    detector: 'consecutiveHttp',
    fingerprint: [...new Set(calls.map(({ url }) => pathOf(url)))],
    subtitle: shown[0] ?? '',
    op: 'http.client',
    offenders: chain,
    facts: [
      { name: facts.consecutiveCalls, value: shown.slice(0, 20).join('\n') },
      { name: facts.timeSaved, value: withUnit(Math.round(savedUs / 1_000), 'ms') },
    ],
    data: { repeatingSpans: shown[0] ?? '', numRepeatingSpans: chain.length, savedMs: Math.round(savedUs / 1_000) },
  };
}
