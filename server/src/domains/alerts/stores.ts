/** What alerts read from, and what they are given. */
import type { Events } from '../../ports/events/events.ts';
import type { State } from '../../ports/state/state.ts';

export interface AlertStores {
  readonly state: State;
  readonly events: Events;
}
