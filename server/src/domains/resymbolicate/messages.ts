/** What the server and its symbolication thread say to each other. */
import type { Claimer } from '../../base/jobs/index.ts';
import type { BlobsOptions } from '../../ports/blobs/open.ts';
import type { EventsAddress } from '../../ports/events/events.ts';
import type { StateOptions } from '../../ports/state/open.ts';

export interface SymbolicationSetup {
  readonly claimer: Claimer;
  readonly state: StateOptions;
  readonly events: EventsAddress;
  readonly blobs: BlobsOptions;
  /** Of the installation; hex. */
  readonly pseudonymKey: string;
  /** How far back events are looked for. */
  readonly days: number;
}

export type FromSymbolication =
  | { readonly kind: 'progress'; readonly projectId: number; readonly issueIds: readonly number[] }
  /** Events of the project are about to be revised. */
  | { readonly kind: 'revising'; readonly projectId: number }
  /** The stack of what went wrong; the job waits for its next attempt. */
  | { readonly kind: 'failed'; readonly text: string };
