/** A query that takes long by itself. */
import { calledFrom } from '../orm.ts';
import { isComplete, isSelect, shownQuery } from '../queries.ts';
import type { Detect } from '../problem.ts';
import { durationUs, usOf } from '../segment.ts';
import { withUnit } from '../../../base/texts/intl.ts';
import { facts } from '../../../base/texts/detectors.ts';

export const slowDb: Detect<'slowDb'> = ({ spans }, { minDurationMs }) =>
  spans
    .filter((span) => durationUs(span) >= usOf(minDurationMs) && isSelect(span) && isComplete(span))
    .map((span) => ({
      detector: 'slowDb',
      fingerprint: [span.hash],
      subtitle: shownQuery(span),
      op: span.op,
      offenders: [span],
      facts: [
        { name: facts.query, value: shownQuery(span) },
        { name: facts.duration, value: withUnit(Math.round(durationUs(span) / 1_000), 'ms') },
        ...calledFrom([span]),
      ],
      data: { repeatingSpans: shownQuery(span), durationMs: Math.round(durationUs(span) / 1_000) },
    }));
