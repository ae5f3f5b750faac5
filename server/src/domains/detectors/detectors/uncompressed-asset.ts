/** A large script or style sheet that came as it is, from a place that compresses others. */
import { extensionOf, sizes } from '../calls.ts';
import type { Detect } from '../problem.ts';
import { durationUs, type SegmentSpan, usOf } from '../segment.ts';
import { facts } from '../../../base/texts/detectors.ts';

const browsers = new Set(['chrome', 'firefox', 'safari', 'edge']);
const ops = new Set(['resource.css', 'resource.script']);
const compressible = new Set(['', 'css', 'js', 'json']);

export const uncompressedAsset: Detect<'uncompressedAsset'> = ({ root, spans }, { minBytes, minDurationMs }) => {
  if (!browsers.has(root?.attributes['browser.name']?.toLowerCase() ?? '')) return [];
  const loaded = spans.filter((span) => ops.has(span.op) && cameWhole(span));
  if (!loaded.some((span) => sizes.encoded(span) !== sizes.decoded(span))) return [];
  return loaded
    .filter(
      (span) =>
        sizes.encoded(span) === sizes.decoded(span) &&
        (sizes.encoded(span) ?? 0) >= minBytes &&
        compressible.has(extensionOf(span.attributes['url.full'] || span.name)) &&
        durationUs(span) > usOf(minDurationMs),
    )
    .map((span) => ({
      detector: 'uncompressedAsset',
      fingerprint: [span.hash],
      subtitle: span.name,
      op: span.op,
      offenders: [span],
      facts: [
        { name: facts.asset, value: span.name },
        { name: facts.size, value: facts.bytes(sizes.encoded(span) ?? 0) },
      ],
      data: {
        repeatingSpans: span.name,
        bytes: sizes.encoded(span) ?? 0,
        durationMs: Math.round(durationUs(span) / 1_000),
      },
    }));
};

/** Not from the cache: that transfers nothing, or less than the file. */
function cameWhole(span: SegmentSpan): boolean {
  const transferred = sizes.transferred(span) ?? 0;
  const encoded = sizes.encoded(span) ?? 0;
  return encoded > 0 && (sizes.decoded(span) ?? 0) > 0 && transferred >= encoded;
}
