/** What a detector finds. */
import type { DetectorName } from '../../base/problems/types.ts';
import type { Segment, SegmentSpan } from './segment.ts';
import type { PerformanceSettings } from '../../base/problems/settings.ts';

export interface Problem {
  readonly detector: DetectorName;
  /** What tells it from others of its type, wherever it happens again. */
  readonly fingerprint: readonly string[];
  /** The thing that is slow or repeated, in one line. */
  readonly subtitle: string;
  /** Of the offenders: `db`, `http.client`, … */
  readonly op: string;
  /** The spans whose time it is about, at least one. */
  readonly offenders: readonly SegmentSpan[];
  /** Those that led to it. */
  readonly causes?: readonly SegmentSpan[];
  readonly parents?: readonly SegmentSpan[];
  /** Facts for people, besides transaction, parent and offenders. */
  readonly facts?: readonly { readonly name: string; readonly value: string }[];
  /** Numbers and texts for programs. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/** Pure; gives every finding, of which the first of each fingerprint counts. */
export type Detect<Name extends DetectorName> = (
  segment: Segment,
  settings: PerformanceSettings[Name],
) => readonly Problem[];
