/** What the events of one issue in one batch add up to. */
import type { Sighted } from '../../../process/types.ts';
import type { SeenInRelease } from '../states/regressions.ts';

/** An event to record; `quiet` ones widen times and never open an issue again, and neither do those of an import. */
export interface Recordable extends Omit<Sighted, 'side' | 'category'> {
  readonly quiet?: boolean;
  /** Whether it may go to another issue yet. */
  readonly isUnplaced?: boolean;
}

export interface Sighting {
  readonly event: Recordable;
  readonly hashes: readonly string[];
  firstSeen: number;
  lastSeen: number;
  firstRelease: string;
  lastRelease: string;
  /** When it was seen in each release; '' for events without one. */
  readonly releases: Map<string, SeenInRelease>;
}

export const isQuiet = ({ quiet, imported }: Pick<Recordable, 'quiet' | 'imported'>): boolean =>
  quiet === true || imported === true;

/** One for each list of hashes, apart for quiet events and those of an import. */
export function collectSightings(events: readonly Recordable[]): Sighting[] {
  const sightings = new Map<string, Sighting>();
  for (const event of events) {
    const hashes = event.grouping.hashes.join();
    const key = isQuiet(event) ? `${event.imported ? 'imported' : 'quiet'} ${hashes}` : hashes;
    const { timestamp, release } = event.row;
    const sighting = sightings.get(key);
    if (!sighting) {
      sightings.set(key, {
        event,
        hashes: event.grouping.hashes,
        firstSeen: timestamp,
        lastSeen: timestamp,
        firstRelease: release,
        lastRelease: release,
        releases: new Map([[release, { first: timestamp, last: timestamp }]]),
      });
      continue;
    }
    const span = sighting.releases.get(release) ?? { first: timestamp, last: timestamp };
    sighting.releases.set(release, {
      first: Math.min(span.first, timestamp),
      last: Math.max(span.last, timestamp),
    });
    if (timestamp < sighting.firstSeen) {
      sighting.firstSeen = timestamp;
      sighting.firstRelease = release;
    }
    if (timestamp >= sighting.lastSeen) {
      sighting.lastSeen = timestamp;
      sighting.lastRelease = release;
    }
  }
  return [...sightings.values()];
}
