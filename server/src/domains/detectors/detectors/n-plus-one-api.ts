/** A page that calls one endpoint again and again at the same time, each time for another thing. */
import { urlWithoutIds } from '../../../process/steps/span/path-ids.ts';
import { callOf, extensionOf, isCall, isPrefetch, pathOf } from '../calls.ts';
import type { Detect, Problem } from '../problem.ts';
import { type Segment, type SegmentSpan, sumUs, usOf } from '../segment.ts';
import { facts } from '../../../base/texts/detectors.ts';

/** Of segments in which a page or screen is loaded. */
const loading = new Set(['', 'pageload', 'navigation', 'ui.load', 'ui.action']);
const assets = new Set(['js', 'css', 'svg', 'png', 'mp3', 'jpg', 'jpeg']);
/** Their addresses say nothing of what is asked for, or belong to tools. */
const leftOut = ['graphql', '_next/data', '__nextjs_original-stack-frame', 'https://app.launchdarkly.com/sdk/'];

interface Asked {
  readonly span: SegmentSpan;
  readonly url: string;
  readonly pattern: string;
}

export const nPlusOneApi: Detect<'nPlusOneApi'> = (segment, { count, minDurationMs, maxGapMs }) => {
  if (!loading.has(segment.root?.op ?? '')) return [];
  const problems: Problem[] = [];
  let run: Asked[] = [];
  const close = (): void => {
    const [first] = run;
    const spans = run.map(({ span }) => span);
    if (first && run.length >= count && first.pattern !== first.url && sumUs(spans) >= usOf(minDurationMs)) {
      problems.push(toProblem(segment, first, run));
    }
  };
  for (const span of segment.spans) {
    const asked = askedOf(span);
    if (!asked) continue;
    const last = run.at(-1);
    const continues =
      last &&
      last.pattern === asked.pattern &&
      last.span.parentId === span.parentId &&
      Math.abs(span.startUs - last.span.startUs) < usOf(maxGapMs);
    if (continues) run.push(asked);
    else {
      close();
      run = [asked];
    }
  }
  close();
  return problems;
};

function askedOf(span: SegmentSpan): Asked | undefined {
  if (!isCall(span)) return undefined;
  const { method, url } = callOf(span);
  if (method !== 'GET' || url === '' || isPrefetch(span)) return undefined;
  if (leftOut.some((part) => url.includes(part)) || assets.has(extensionOf(url))) return undefined;
  return { span, url, pattern: urlWithoutIds(url) };
}

function toProblem(segment: Segment, first: Asked, run: readonly Asked[]): Problem {
  const parent = segment.byId.get(first.span.parentId);
  const urls = [...new Set(run.map(({ url }) => url))];
  return {
    detector: 'nPlusOneApi',
    fingerprint: [pathOf(first.url)],
    subtitle: first.pattern,
    op: 'http.client',
    offenders: run.map(({ span }) => span),
    parents: parent ? [parent] : [],
    facts: [
      { name: facts.repeatingCall, value: first.pattern },
      { name: facts.repetitions, value: String(run.length) },
      { name: facts.addresses, value: urls.slice(0, 10).join('\n') },
    ],
    data: { repeatingSpans: first.pattern, numRepeatingSpans: run.length },
  };
}
