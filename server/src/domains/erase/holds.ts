/** Rows are kept as the holds say, from the moment that one is set or taken back. */
import type { Events } from '../../ports/events/events.ts';
import { keepRows } from '../../ports/events/migrations/index.ts';
import type { State } from '../../ports/state/state.ts';
import { keepingOf } from '../retention/index.ts';

export interface Holds {
  /** From now on rows are kept as the holds say. */
  apply(): Promise<void>;
}

export const createHolds = (
  { state, events }: { readonly state: State; readonly events: Events },
  retentionDays: number,
): Holds => ({
  apply: async () => keepRows(events, await keepingOf(state, retentionDays)),
});
