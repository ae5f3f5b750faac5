/** How a store keeps rows, as one opens it that lets rows go: by what was chosen, and not at all while a project is held. */
import type { KeptDays } from '../../base/retention.ts';
import type { State } from '../../ports/state/state.ts';
import { heldAmong } from '../projects/index.ts';
import { agesOf, longestDays } from './ages.ts';

export interface Keeping {
  readonly retentionDays: number;
  /** The longest of all projects: what is shorter goes row by row. */
  readonly keptDays: KeptDays;
  readonly isHeld: boolean;
}

/** `retentionDays`: the configuration's, for classes of which nothing was chosen. */
export const keepingOf = async (state: State, retentionDays: number): Promise<Keeping> => ({
  retentionDays,
  keptDays: longestDays(await agesOf(state, retentionDays)),
  isHeld: (await heldAmong(state)).length > 0,
});
