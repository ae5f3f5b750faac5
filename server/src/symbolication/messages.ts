/** What the server and its symbolication thread say to each other. */
import type { BlobsOptions } from '../blobs/open.ts';
import type { EventsAddress } from '../events/events.ts';
import type { StateOptions } from '../state/open.ts';

export interface SymbolicationSetup {
  readonly state: StateOptions;
  readonly events: EventsAddress;
  readonly blobs: BlobsOptions;
  /** How far back events are looked for. */
  readonly days: number;
}

export type FromSymbolication =
  | { readonly kind: 'progress'; readonly projectId: number; readonly issueIds: readonly number[] }
  /** The stack of what went wrong; the job waits for its next attempt. */
  | { readonly kind: 'failed'; readonly text: string };

/** Before it stops, the thread ends what it is at. */
export interface ToSymbolication {
  readonly kind: 'stop';
}
