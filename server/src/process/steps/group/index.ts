/**
 * Grouping: which issue an event belongs to. Versions stand side by side; each keeps its code and its golden hashes, so
 * that issues made by an older one are still found.
 */
import type { Event } from '../event.ts';
import * as v1 from './v1/index.ts';
import type { GroupedEvent } from './v1/index.ts';

const versions: ReadonlyMap<string, (event: Event) => GroupedEvent> = new Map([[v1.version, v1.group]]);

export const currentGroupingVersion = v1.version;

/** Groups a normalised event by one version; by the current one where the version is unknown. */
export function groupEvent(event: Event, version: string = currentGroupingVersion): GroupedEvent {
  return (versions.get(version) ?? v1.group)(event);
}
