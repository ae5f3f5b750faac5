/** What the server and its examining thread say to each other. */
import type { EventsAddress } from '../events/events.ts';
import type { RecordedProject } from '../issues/index.ts';
import type { StateOptions } from '../state/open.ts';

export interface ExaminerSetup {
  readonly state: StateOptions;
  readonly events: EventsAddress;
  /** What late spans are waited for. */
  readonly waitMs: number;
}

export type FromExaminer =
  | { readonly kind: 'recorded'; readonly project: RecordedProject }
  /** Nothing is due for a while, and the thread ends: when the next is, ms since the epoch, undefined for none. */
  | { readonly kind: 'idle'; readonly nextAt: number | undefined }
  /** The stack of what went wrong; expected when a store is away. What was taken comes again. */
  | { readonly kind: 'failed'; readonly text: string; readonly expected: boolean };

/** Before it stops, the thread ends what it is at. */
export interface ToExaminer {
  readonly kind: 'stop';
}
