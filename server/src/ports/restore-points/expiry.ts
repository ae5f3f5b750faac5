/** When restore points go: after some days, when they take too much, and before the disk is full. */
import { statfs } from 'node:fs/promises';
import type { EmbeddedLog } from '../queue/log.ts';
import { listPoints, ownBytes, removeLeftovers, removePoint, type RestorePoint } from './points.ts';

export type Why = 'age' | 'size' | 'disk';

export interface ExpireOptions {
  readonly dataDir: string;
  readonly days: number;
  readonly maxBytes: number;
  /** Undefined where the log is elsewhere: it keeps nothing for a downgrade. */
  readonly log: Pick<EmbeddedLog, 'forgetRetained'> | undefined;
  readonly now?: number;
  /** What the disk must have left; a gibibyte unless told. */
  readonly leaveBytes?: number;
}

const dayMs = 86_400_000;

export const endsAt = ({ at }: Pick<RestorePoint, 'at'>, days: number): number => at + days * dayMs;

/** Removes those that are over; returns them, and why. */
export async function expirePoints(options: ExpireOptions): Promise<{ point: RestorePoint; why: Why }[]> {
  const { dataDir, days, maxBytes, log, now = Date.now(), leaveBytes = 2 ** 30 } = options;
  await removeLeftovers(dataDir);
  const points = await listPoints(dataDir);
  if (points.length === 0) return [];
  const { bavail, bsize } = await statfs(dataDir);
  const isLow = bavail * bsize < leaveBytes;
  let bytes = 0;
  const gone: { point: RestorePoint; why: Why }[] = [];
  // The newest is the last to go.
  for (const point of points.toReversed()) {
    bytes += await ownBytes(dataDir, point);
    const why = isLow ? 'disk' : endsAt(point, days) <= now ? 'age' : bytes > maxBytes ? 'size' : undefined;
    if (!why) continue;
    await removePoint(dataDir, point);
    gone.push({ point, why });
  }
  if (gone.length > 0) await log?.forgetRetained(retainedFrom(await listPoints(dataDir)));
  return gone;
}

/** From where on the log retains what it got; undefined without restore points. */
export function retainedFrom(points: readonly RestorePoint[]): number | undefined {
  const marks = points.flatMap(({ log }) => (log ? [log.next] : []));
  return points.length === 0 ? undefined : Math.min(1e15, ...marks);
}
