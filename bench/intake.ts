/** How far Culprit has got with what was sent to it. */
import { organization, getJson } from './culprit.ts';
import type { HttpClient } from './http-client.ts';

interface Outcomes {
  readonly groups: readonly {
    readonly category: string;
    readonly outcome: string;
    readonly reason: string;
    readonly total: number;
  }[];
}

const pollEveryMs = 50;
/** Without any progress for this long, what is missing is lost. */
const stalledMs = 20_000;

export interface Counted {
  /** Of outcomes. */
  readonly categories: readonly string[];
}

export const countedErrors: Counted = { categories: ['error', 'default'] };

/** Items by outcome. `accepted` are stored, grouped and found by queries: they are counted after all of that. */
export async function countOutcomes(api: HttpClient, { categories }: Counted): Promise<ReadonlyMap<string, number>> {
  const { groups } = await getJson<Outcomes>(api, `/api/0/organizations/${organization}/outcomes/?statsPeriod=24h`);
  const counts = new Map<string, number>();
  for (const { category, outcome, reason, total } of groups) {
    if (!categories.includes(category)) continue;
    const name = reason ? `${outcome}: ${reason}` : outcome;
    counts.set(name, (counts.get(name) ?? 0) + total);
  }
  return counts;
}

export const countStored = async (api: HttpClient, counted: Counted = countedErrors): Promise<number> =>
  (await countOutcomes(api, counted)).get('accepted') ?? 0;

/**
 * Waits until `expected` of them are stored. Resolves to the time (ms since the epoch) of the last progress, and their number.
 * While requests wait in the log they are not counted: the engine's answers would be paid with the time that is measured.
 */
export async function waitUntilStored(
  api: HttpClient,
  expected: number,
  { pollMs = pollEveryMs, categories = countedErrors.categories }: Partial<Counted> & { readonly pollMs?: number } = {},
): Promise<{ atMs: number; stored: number }> {
  let stored = -1;
  let waiting = -1;
  let atMs = Date.now();
  for (;;) {
    const { records } = await readBacklog(api);
    if (records !== waiting) atMs = Date.now();
    waiting = records;
    if (records === 0) {
      const count = await countStored(api, { categories });
      if (stored !== -1 && count !== stored) atMs = Date.now();
      stored = count;
      if (stored >= expected) return { atMs, stored };
    }
    if (Date.now() - atMs >= stalledMs)
      return { atMs, stored: stored === -1 ? await countStored(api, { categories }) : stored };
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

/** Two of the program's own gauges: requests that wait in the log, and how old the oldest of them is. */
export async function readBacklog(api: HttpClient): Promise<{ records: number; lagSeconds: number }> {
  const { text } = await api.get('/metrics');
  const gauge = (name: string): number =>
    Number(new RegExp(`^${name} ([\\d.e+-]+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
  return { records: gauge('culprit_log_records'), lagSeconds: gauge('culprit_processing_lag_seconds') };
}
