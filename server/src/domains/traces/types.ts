/** What traces are made of as they are read. Times are µs since the epoch, durations µs. */

/** What the tree needs to know of a span. */
export interface TreeSpan {
  readonly projectId: number;
  readonly spanId: string;
  /** '' for none. */
  readonly parentSpanId: string;
  /** '' where it is not known. */
  readonly segmentId: string;
  readonly isSegment: boolean;
  readonly startUs: number;
  readonly durationUs: number;
  /** ms since the epoch. */
  readonly receivedAt: number;
  readonly op: string;
  readonly kind: string;
  readonly service: string;
}

/** A span as the waterfall shows it; attributes are read for one span at a time. */
export interface TraceSpan extends TreeSpan {
  readonly name: string;
  readonly transaction: string;
  readonly status: string;
  readonly failed: boolean;
  readonly platform: string;
  readonly sdkName: string;
  /** Of the description without literals and ids. */
  readonly descriptionHash: string;
}

/** An error of the trace. */
export interface TraceError {
  readonly projectId: number;
  readonly eventId: string;
  /** '' where it is not known. */
  readonly spanId: string;
  /** ms since the epoch. */
  readonly at: number;
  readonly title: string;
  readonly culprit: string;
  readonly level: string;
  readonly transaction: string;
  readonly service: string;
  readonly hash: string;
}

/** A place of the tree: a row of the waterfall. */
export interface TreeRow<Span extends TreeSpan> {
  readonly span: Span;
  /** 0 for roots. */
  readonly depth: number;
  /** Index of the parent's row, -1 for roots. */
  readonly parent: number;
  /** Rows below it: they follow it, so that a subtree is one slice. */
  readonly below: number;
  /** Corrected. */
  readonly startUs: number;
  /** By how much the start was moved, because the clocks of two services differ; 0 where it was not. */
  readonly shiftUs: number;
  /** Duration without what its children cover. */
  readonly selfUs: number;
  /** It names a parent that is not there. It hangs under its segment, or is a root. */
  readonly orphan: boolean;
  /** Its parents led back to it; it was made a root. */
  readonly cycle: boolean;
  /** It begins when its parent has ended, by the same clock. */
  readonly late: boolean;
  /** How many more spans of its project had the same id; the one received last is shown. */
  readonly duplicates: number;
  /** Part of it is on the critical path. */
  readonly critical: boolean;
}

/** Time of a span that none of its children covers. */
export interface Gap {
  /** Index of the span's row. */
  readonly row: number;
  readonly startUs: number;
  readonly durationUs: number;
}

/** A stretch of the critical path: the whole took as long as it did because of what this span did then. */
export interface CriticalStretch {
  readonly row: number;
  readonly startUs: number;
  readonly durationUs: number;
}

export interface Tree<Span extends TreeSpan> {
  /** In the order of the waterfall: a span before its children, children by start. */
  readonly rows: readonly TreeRow<Span>[];
  readonly startUs: number;
  readonly endUs: number;
  readonly gaps: readonly Gap[];
  /** Of the longest root, by time. */
  readonly criticalPath: readonly CriticalStretch[];
  /** Spans left out because another of their project has their id. */
  readonly duplicates: number;
}
