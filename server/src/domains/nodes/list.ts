/** The nodes of an installation, as they said last. */
import { isRole, type Role } from '../../base/roles.ts';
import type { State } from '../../ports/state/state.ts';
import { type NodeReport, readReport } from './report.ts';

export interface NodeEntry extends NodeReport {
  readonly id: string;
  readonly roles: readonly Role[];
  readonly version: string;
  /** Host and port. */
  readonly address: string;
  /** ms since the epoch. */
  readonly startedAt: number;
  readonly seenAt: number;
  readonly isGone: boolean;
}

const goneAfterMs = 60_000;

/** Those that are there first, then by their roles. */
export async function listNodes({ db }: Pick<State, 'db'>, nowMs: number): Promise<NodeEntry[]> {
  const rows = await db.selectFrom('node').selectAll().orderBy('roles').orderBy('address').orderBy('id').execute();
  return rows
    .map((row) => ({
      id: row.id,
      roles: row.roles.split(',').filter(isRole),
      version: row.version,
      address: row.address,
      startedAt: row.started_at,
      seenAt: row.seen_at,
      isGone: nowMs - row.seen_at > goneAfterMs,
      ...readReport(row.report),
    }))
    .toSorted((a, b) => Number(a.isGone) - Number(b.isGone));
}
