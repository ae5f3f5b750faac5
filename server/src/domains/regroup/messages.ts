/** What the server and the thread of a preview say to each other. */
import type { EventsAddress } from '../../ports/events/events.ts';
import type { StateOptions } from '../../ports/state/open.ts';
import type { Changes } from './changes.ts';
import type { RegroupRequest } from './regroup.ts';

export interface PreviewSetup {
  readonly state: StateOptions;
  readonly events: EventsAddress;
  readonly request: RegroupRequest;
  /** Give new hashes to the issues that would get such events, rather than only say what would change. */
  readonly adopt: boolean;
}

export interface PreviewResult extends Changes {
  readonly examined: { readonly events: number; readonly issues: number; readonly sampled: boolean };
}

export type FromPreview =
  | { readonly kind: 'progress'; readonly share: number }
  | { readonly kind: 'done'; readonly result: PreviewResult }
  /** The stack of what went wrong; `expected` where the events store was away or too slow. */
  | { readonly kind: 'failed'; readonly text: string; readonly expected: boolean };
