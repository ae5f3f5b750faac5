/**
 * Gives back to the disk what was deleted, store by store: one at a time, each only where it is worth it, with rests, and
 * never with more of the disk than there is. What one cannot keeps none of the others from it.
 */
import type { Job } from '../../base/jobs/index.ts';
import { jobs as jobTexts } from '../../base/texts/jobs.ts';
import type { Blobs } from '../../ports/blobs/blobs.ts';
import { clearDeletedRows } from '../../ports/events/deleted-rows.ts';
import type { Events } from '../../ports/events/events.ts';
import type { EventLog } from '../../ports/queue/log.ts';
import type { State } from '../../ports/state/state.ts';

export interface GiveBackStores {
  readonly state: Pick<State, 'shrink'>;
  readonly log: Pick<EventLog, 'embedded'>;
  readonly events: Events;
  readonly blobs: Pick<Blobs, 'tidy'>;
}

export interface GiveBackOptions extends GiveBackStores {
  /** There is something more important to do. */
  readonly isBusy: () => Promise<boolean>;
  /** Told what was given back, bytes. */
  readonly onGivenBack: (bytes: Readonly<Record<string, number>>) => void;
}

/** Often enough for within the hour, whatever takes how long. */
const everyMs = 15 * 60_000;
/** What comes with a start comes first. */
const firstMs = 10_000;

export function createGiveBack({ state, log, events, blobs, isBusy, onGivenBack }: GiveBackOptions): Job {
  const steps: Readonly<Record<string, (signal: AbortSignal) => Promise<number | void>>> = {
    // NATS gives back by itself.
    log: async () => log.embedded?.shrink(),
    files: () => blobs.tidy(),
    state: () => state.shrink(),
    events: (signal) => clearDeletedRows(events, signal),
    index: async () => events.index?.shrink(),
  };
  return {
    name: 'disk-space',
    title: jobTexts.diskSpace.title,
    // Each has its own.
    nodes: 'each',
    everyMs,
    firstMs,
    needsEvents: true,
    failed: jobTexts.diskSpace.failed,
    async run({ signal }) {
      const given: Record<string, number> = {};
      const failures: unknown[] = [];
      for (const [store, giveBack] of Object.entries(steps)) {
        // The log is large because much waits in it; what follows would keep that waiting for longer.
        if (signal.aborted || (await isBusy())) break;
        try {
          const bytes = (await giveBack(signal)) ?? 0;
          if (bytes > 0) given[store] = Math.round(bytes);
        } catch (error) {
          failures.push(error);
        }
      }
      if (Object.keys(given).length > 0) onGivenBack(given);
      if (failures.length > 0) throw failures[0];
    },
  };
}
