/** Facts of issues, read from their newest events. */
import { hashesOf, pickEvent } from '../issues/index.ts';
import type { Events } from '../../ports/events/events.ts';
import type { CodeMapping } from '../repositories/index.ts';
import type { State } from '../../ports/state/state.ts';
import { type Facts, factsOf } from './facts.ts';

export interface Stores {
  readonly state: State;
  readonly events: Events;
}

/** Undefined where no event of the issue is stored. */
export async function factsOfIssue(
  { state, events }: Stores,
  issue: { readonly id: number; readonly projectId: number },
  mappings: readonly CodeMapping[],
): Promise<Facts | undefined> {
  const hashes = await hashesOf(state, issue.id);
  if (!hashes.length) return undefined;
  const scope = { projectId: issue.projectId, hashes, nowMs: Date.now() };
  const event = await pickEvent({ events }, scope, 'latest');
  return event && factsOf(event.payload, event.tags, mappings);
}
