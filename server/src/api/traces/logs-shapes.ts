/** Where the logs of a trace were written. */
import type { z } from 'zod';
import type { LogsOfTrace } from '../../domains/logs/index.ts';
import { placeIn, type TraceSpan, type TreeRow } from '../../domains/traces/index.ts';
import type { getWaterfall } from './contract.ts';

type Log = z.output<typeof getWaterfall.response>['logs'][number];

export interface PlacedLogs {
  /** By time, as it is corrected. */
  readonly logs: Log[];
  /** How many of them a row has, by its index. */
  readonly counts: ReadonlyMap<number, number>;
}

/** `startUs` is what offsets count from, µs since the epoch. A log moves with its span where that was moved. */
export function placeLogs(
  rows: readonly TreeRow<TraceSpan>[],
  startUs: number,
  { logs }: Pick<LogsOfTrace, 'logs'>,
): PlacedLogs {
  const counts = new Map<number, number>();
  const placed: Log[] = [];
  for (const [row, there] of placeIn(rows, logs)) {
    if (row >= 0) counts.set(row, there.length);
    const shiftUs = rows[row]?.shiftUs ?? 0;
    for (const { id, projectId, atUs, level, service, message } of there) {
      const offsetUs = Math.round(atUs + shiftUs - startUs);
      placed.push({ id, row, offsetUs, level, message, service, projectId: String(projectId) });
    }
  }
  // Logs of one moment stand in the order in which they were read: sorting keeps it within a row.
  return { logs: placed.sort((a, b) => a.offsetUs - b.offsetUs), counts };
}
