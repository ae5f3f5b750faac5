/** How much of what runs is of a release, and whether it was more once. */
import type { Events } from '../../ports/events/events.ts';
import { measureSessions, type SessionNumbers, type SessionScope } from './measure.ts';

export type AdoptionStage = 'adopted' | 'low' | 'replaced';

/** Of the sessions of its project. */
export const adoptedShare = 0.1;
const dayMs = 86_400_000;
/** How far back a release may have been adopted. */
const days = 14;
const maxRows = 50_000;

export interface ReleaseAdoption {
  readonly projectId: number;
  readonly release: string;
  /** Of the release in the last 24 hours, and of its whole project. */
  readonly sessions: number;
  readonly ofProject: number;
  readonly stage: AdoptionStage;
}

/** Each release of each project that had sessions in the last fourteen days. */
export async function adoptionOf(
  events: Events,
  scope: Pick<SessionScope, 'projectIds' | 'environments' | 'releases'>,
  nowMs: number,
): Promise<ReleaseAdoption[]> {
  // Stretches of a day that end at the coming full hour; the last one is the last 24 hours.
  const untilMs = Math.ceil((nowMs + 1) / 3_600_000) * 3_600_000;
  const question = {
    ...scope,
    fromMs: untilMs - days * dayMs,
    untilMs,
    bucketMs: dayMs,
    withUsers: false,
    totalsOnly: true,
  };
  const [ofReleases, ofProjects] = await Promise.all([
    measureSessions(events, { ...question, by: ['project', 'release'], limit: maxRows }),
    measureSessions(events, { ...question, releases: undefined, by: ['project'] }),
  ]);
  const totals = new Map(ofProjects.map((row) => [`${row.projectId} ${row.bucket}`, row.sessions.total]));
  const totalOf = (projectId: number, bucket: number): number => totals.get(`${projectId} ${bucket}`) ?? 0;
  const groups = Map.groupBy(ofReleases, (row) => `${row.projectId} ${row.release}`);
  return [...groups.values()].flatMap((rows) => {
    const [first] = rows;
    return first ? [adoptionOfOne(first, rows, totalOf)] : [];
  });
}

function adoptionOfOne(
  { projectId, release }: SessionNumbers,
  rows: readonly SessionNumbers[],
  totalOf: (projectId: number, bucket: number) => number,
): ReleaseAdoption {
  const last = days - 1;
  const isAdopted = (row: SessionNumbers): boolean =>
    row.sessions.total > 0 && row.sessions.total >= adoptedShare * totalOf(projectId, row.bucket);
  const now = rows.find((row) => row.bucket === last);
  const stage = now && isAdopted(now) ? 'adopted' : rows.some(isAdopted) ? 'replaced' : 'low';
  return { projectId, release, sessions: now?.sessions.total ?? 0, ofProject: totalOf(projectId, last), stage };
}
