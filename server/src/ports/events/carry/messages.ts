/** What the server and the thread that carries payloads over say to each other. */
import type { EventsAddress } from '../events.ts';
import type { CarryProgress } from './carry.ts';

export interface CarrySetup {
  readonly events: EventsAddress;
  /** Int32: 1 while there is something more important to do. */
  readonly busy: SharedArrayBuffer;
}

export type FromCarry =
  | { readonly kind: 'week'; readonly progress: CarryProgress }
  /** The stack of what went wrong. */
  | { readonly kind: 'failed'; readonly text: string };
