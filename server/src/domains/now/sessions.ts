/** How sessions ended, this day and the one before. */
import { crashFree, sessionCounts } from '../sessions/index.ts';
import { dayMs } from './measure.ts';
import type { NowRequest, NowStores, SessionHealth } from './types.ts';

export async function sessionHealth({ events }: NowStores, request: NowRequest): Promise<SessionHealth> {
  const { projects, environments, nowMs } = request;
  const projectIds = projects.map(({ id }) => id);
  const of = async (untilMs: number): Promise<{ count: number; rate: number | undefined }> => {
    if (!projectIds.length) return { count: 0, rate: undefined };
    const counts = await sessionCounts(events, { projectIds, environments, fromMs: untilMs - dayMs, untilMs });
    return { count: counts.sessions, rate: crashFree({ total: counts.sessions, crashed: counts.crashed }) };
  };
  const [today, before] = await Promise.all([of(nowMs), of(nowMs - dayMs)]);
  return {
    count: today.count,
    countBefore: before.count,
    crashFree: today.rate,
    crashFreeBefore: before.rate,
  };
}
