/** Calls that wait because a browser opens six connections to a host over HTTP/1.1 and no more. */
import { callOf, hostOf } from '../calls.ts';
import type { Detect, Problem } from '../problem.ts';
import { durationUs, type SegmentSpan, usOf } from '../segment.ts';
import { withUnit } from '../../../base/texts/intl.ts';
import { facts } from '../../../base/texts/detectors.ts';

/** From there on browsers let calls wait. */
const connections = 6;
/** Calls that waited less are not shown. */
const shownDelayMs = 100;

interface Waiting {
  readonly span: SegmentSpan;
  /** From the call to the moment at which it was sent. */
  readonly delayUs: number;
}

export const httpOverhead: Detect<'httpOverhead'> = ({ spans }, { minDelayMs }) => {
  const hosts = new Map<string, Waiting[][]>();
  for (const span of spans) {
    const waiting = waitingOf(span);
    const host = waiting ? hostOf(callOf(span).url) : '';
    if (!waiting || host === '') continue;
    const chains = hosts.get(host) ?? [];
    if (chains.length === 0) hosts.set(host, chains);
    const chain = chains.at(-1);
    const first = chain?.[0];
    if (chain && first && waiting.delayUs >= first.delayUs && first.span.endUs > span.startUs) chain.push(waiting);
    else chains.push([waiting]);
  }
  return [...hosts].flatMap(([host, chains]) => {
    const longEnough = chains.filter((chain) => chain.length >= connections && lastDelay(chain) > usOf(minDelayMs));
    const worst = longEnough.toSorted((a, b) => lastDelay(b) - lastDelay(a))[0];
    return worst ? [toProblem(host, worst)] : [];
  });
};

const lastDelay = (chain: readonly Waiting[]): number => chain.at(-1)?.delayUs ?? 0;

function waitingOf(span: SegmentSpan): Waiting | undefined {
  if (span.op !== 'http.client') return undefined;
  const version = span.attributes['network.protocol.version'] ?? span.numbers['network.protocol.version'];
  const sentAt = span.numbers['http.request.request_start'];
  if (String(version) !== '1.1' || sentAt === undefined) return undefined;
  const delayUs = Math.round(sentAt * 1_000_000) - span.startUs;
  // Browsers measure this, and clocks are corrected: what lies outside of the call is wrong.
  return delayUs < 0 || delayUs > durationUs(span) ? undefined : { span, delayUs };
}

function toProblem(host: string, chain: readonly Waiting[]): Problem {
  const shown = chain.filter(({ delayUs }) => delayUs > usOf(shownDelayMs));
  const offenders = shown.map(({ span }) => span);
  const last = offenders.at(-1);
  const name = last?.name ?? host;
  return {
    detector: 'httpOverhead',
    fingerprint: [host],
    subtitle: name,
    op: 'http.client',
    offenders,
    facts: [
      { name: facts.host, value: host === '/' ? facts.ownHost : host },
      { name: facts.longestWait, value: withUnit(Math.round(lastDelay(chain) / 1_000), 'ms') },
    ],
    data: {
      repeatingSpans: name,
      numRepeatingSpans: offenders.length,
      host,
      maxDelayMs: Math.round(lastDelay(chain) / 1_000),
    },
  };
}
