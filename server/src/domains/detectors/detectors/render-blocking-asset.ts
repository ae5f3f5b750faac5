/** A large script or style sheet that the first paint had to wait for. */
import { sizes } from '../calls.ts';
import type { Detect } from '../problem.ts';
import { durationUs, usOf } from '../segment.ts';
import { withUnit } from '../../../base/texts/intl.ts';
import { facts } from '../../../base/texts/detectors.ts';

const ops = new Set(['resource.link', 'resource.script']);
/** Browsers are wrong about more. */
const maxBytes = 1_000_000_000;

export const renderBlockingAsset: Detect<'renderBlockingAsset'> = ({ root, spans }, settings) => {
  const fcpMs = root?.numbers['fcp'];
  if (!root || fcpMs === undefined || fcpMs < settings.minFcpMs || fcpMs >= settings.maxFcpMs) return [];
  const fcpUs = usOf(fcpMs);
  return spans
    .filter((span) => {
      const bytes = sizes.encoded(span) ?? 0;
      return (
        ops.has(span.op) &&
        span.endUs - root.startUs < fcpUs &&
        span.attributes['resource.render_blocking_status'] !== 'non-blocking' &&
        bytes >= settings.minBytes &&
        bytes <= maxBytes &&
        durationUs(span) > fcpUs * settings.minFcpShare
      );
    })
    .map((span) => ({
      detector: 'renderBlockingAsset',
      fingerprint: [span.hash],
      subtitle: span.name,
      op: span.op,
      offenders: [span],
      facts: [
        { name: facts.asset, value: span.name },
        { name: facts.firstContentfulPaint, value: withUnit(Math.round(fcpMs), 'ms') },
        { name: facts.loading, value: withUnit(Math.round(durationUs(span) / 1_000), 'ms') },
      ],
      data: {
        repeatingSpans: span.name,
        bytes: sizes.encoded(span) ?? 0,
        fcpMs,
        durationMs: Math.round(durationUs(span) / 1_000),
      },
    }));
};
