/** Files and databases that an app waits for on the thread that draws its screens. */
import type { Detect, Problem } from '../problem.ts';
import type { DetectorName } from '../../../base/problems/types.ts';
import { isDatabase, shownQuery } from '../queries.ts';
import { coveredUs, type Segment, type SegmentSpan, usOf } from '../segment.ts';
import { withUnit } from '../../../base/texts/intl.ts';
import { facts } from '../../../base/texts/detectors.ts';

/** They come with the app and are read by its frame, not by the app's own code. */
const ofTheSystem = /\.(?:nib|plist)$/i;

export const fileIoOnMainThread: Detect<'fileIoOnMainThread'> = (segment, { minDurationMs }) =>
  blocking(segment, minDurationMs, {
    detector: 'fileIoOnMainThread',
    isIt: ({ op, name, attributes }) =>
      op.startsWith('file') && !ofTheSystem.test(attributes['file.path'] ?? '') && !ofTheSystem.test(name),
    shown: ({ name }) => name,
    kindOf: (span) => calledFrom(span) ?? span.name.replaceAll(/\d+/g, '*'),
  });

export const dbOnMainThread: Detect<'dbOnMainThread'> = (segment, { minDurationMs }) =>
  blocking(segment, minDurationMs, {
    detector: 'dbOnMainThread',
    isIt: isDatabase,
    shown: shownQuery,
    kindOf: (span) => calledFrom(span) ?? span.hash,
  });

interface Kind {
  readonly detector: DetectorName;
  readonly isIt: (span: SegmentSpan) => boolean;
  readonly shown: (span: SegmentSpan) => string;
  /** What tells the code that does it. */
  readonly kindOf: (span: SegmentSpan) => string;
}

function blocking(segment: Segment, minDurationMs: number, { detector, isIt, shown, kindOf }: Kind): Problem[] {
  const spans = segment.spans.filter(({ attributes, ...span }) => {
    return attributes['blocked_main_thread'] === 'true' && isIt({ attributes, ...span });
  });
  return [...Map.groupBy(spans, ({ parentId }) => parentId)].flatMap(([parentId, together]): Problem[] => {
    const [first] = together;
    const heldUs = coveredUs(together);
    if (!first || heldUs < usOf(minDurationMs)) return [];
    const parent = segment.byId.get(parentId);
    return [
      {
        detector,
        fingerprint: [parent?.op ?? '', ...new Set(together.map(kindOf))],
        subtitle: shown(first),
        op: first.op,
        offenders: together,
        parents: parent ? [parent] : [],
        facts: [
          { name: facts.mainThreadBlocked, value: withUnit(Math.round(heldUs / 1_000), 'ms') },
          { name: facts.operations, value: [...new Set(together.map(shown))].slice(0, 10).join('\n') },
        ],
        data: { repeatingSpans: shown(first), numRepeatingSpans: together.length, heldMs: Math.round(heldUs / 1_000) },
      },
    ];
  });
}

/** The function of the app's own code that did it, where the SDK sent the stack. */
function calledFrom({ attributes }: SegmentSpan): string | undefined {
  const stack = attributes['call_stack'];
  if (stack === undefined) return undefined;
  try {
    const frames: unknown = JSON.parse(stack);
    if (!Array.isArray(frames)) return undefined;
    const frame = (frames as readonly unknown[]).find(
      (one): one is { module?: unknown; function?: unknown } =>
        typeof one === 'object' && one !== null && 'in_app' in one && one.in_app === true,
    );
    return frame && `${String(frame.module ?? '')}.${String(frame.function ?? '')}`;
  } catch {
    // Cut on the way.
    return undefined;
  }
}
