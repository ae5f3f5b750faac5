/** What the server and its examining thread say to each other. */
import type { Claimer } from '../../base/jobs/index.ts';
import type { EventsAddress } from '../../ports/events/events.ts';
import type { RecordedProject } from '../issues/index.ts';
import type { StateOptions } from '../../ports/state/open.ts';

export interface ExaminerSetup {
  readonly claimer: Claimer;
  readonly state: StateOptions;
  readonly events: EventsAddress;
  /** What late spans are waited for. */
  readonly waitMs: number;
}

export type FromExaminer =
  | { readonly kind: 'recorded'; readonly project: RecordedProject }
  /** The stack of what went wrong; expected when a store is away. What was taken comes again. */
  | { readonly kind: 'failed'; readonly text: string; readonly expected: boolean };
