/** How many suspects are examined at most: at high volume a few of each transaction show what there is. */
import type { Suspect } from './suspicion.ts';

export interface SamplerLimits {
  /** A minute. */
  readonly perProject: number;
  readonly perTransaction: number;
}

export const samplerLimits: SamplerLimits = { perProject: 600, perTransaction: 20 };

const minuteMs = 60_000;

/** Counts in memory, so that its limits are those of one processing thread. */
export function createSampler(limits: SamplerLimits = samplerLimits): (suspect: Suspect, nowMs: number) => boolean {
  let minute = -1;
  const projects = new Map<number, number>();
  const transactions = new Map<string, number>();
  return ({ projectId, transaction }, nowMs) => {
    const current = Math.floor(nowMs / minuteMs);
    if (current !== minute) {
      minute = current;
      projects.clear();
      transactions.clear();
    }
    const key = `${projectId} ${transaction}`;
    const ofProject = projects.get(projectId) ?? 0;
    const ofTransaction = transactions.get(key) ?? 0;
    if (ofProject >= limits.perProject || ofTransaction >= limits.perTransaction) return false;
    projects.set(projectId, ofProject + 1);
    transactions.set(key, ofTransaction + 1);
    return true;
  };
}
