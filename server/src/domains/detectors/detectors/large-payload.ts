/** A call whose answer is so large that it takes time, and is data rather than a file. */
import { callOf, extensionOf, isPrefetch, pathOf, sizes } from '../calls.ts';
import type { Detect } from '../problem.ts';
import { durationUs, usOf } from '../segment.ts';
import { facts } from '../../../base/texts/detectors.ts';

export const largePayload: Detect<'largePayload'> = ({ spans }, { minBytes, minDurationMs }) =>
  spans.flatMap((span) => {
    const bytes = sizes.encoded(span) ?? 0;
    if (bytes <= minBytes || durationUs(span) < usOf(minDurationMs)) return [];
    if (!(span.op === 'http' || span.op.startsWith('http.client')) || isPrefetch(span)) return [];
    const { method, url } = callOf(span);
    const extension = extensionOf(url);
    if (url === '' || url.includes('_next/') || !(extension === '' || extension === 'json')) return [];
    const call = `${method} ${url}`.trim();
    return [
      {
        detector: 'largePayload',
        fingerprint: [pathOf(url)],
        subtitle: call,
        op: span.op,
        offenders: [span],
        facts: [
          { name: facts.call, value: call },
          { name: facts.size, value: facts.bytes(bytes) },
        ],
        data: { repeatingSpans: call, bytes, durationMs: Math.round(durationUs(span) / 1_000) },
      },
    ];
  });
