/** What a node tells of itself, beside who it is; as JSON in its row. */
import { z } from 'zod';

export const stores = ['log', 'state', 'events', 'blobs'] as const;
export const storeStates = ['reachable', 'slow', 'down'] as const;

export type StoreState = (typeof storeStates)[number];

const view = z.object({
  store: z.enum(stores),
  state: z.enum(storeStates),
  /** ms since the epoch. */
  since: z.number(),
});

export type StoreView = z.output<typeof view>;

const report = z.object({
  stores: z.array(view),
  /** Age of the oldest record that it processes, ms; null where it does not process. */
  lagMs: z.number().nullable(),
  /** Why processing waits; '' for no reason. */
  waitingFor: z.string(),
});

export type NodeReport = z.output<typeof report>;

const nothing: NodeReport = { stores: [], lagMs: null, waitingFor: '' };

/** Nothing where a version wrote it that says other things. */
export function readReport(text: string): NodeReport {
  try {
    return report.safeParse(JSON.parse(text)).data ?? nothing;
  } catch {
    return nothing;
  }
}
