/** The nodes of an installation, as they said last. */
import { isRole, type Role, roleNames } from '../../base/roles.ts';
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

/** How those that process are doing, as they say themselves; undefined where none does. */
export function processingOf(
  nodes: readonly NodeEntry[],
): { readonly lagMs: number; readonly waitingFor: string | undefined } | undefined {
  const processing = nodes.filter(({ isGone, lagMs }) => !isGone && lagMs !== null);
  if (processing.length === 0) return undefined;
  const waitingFor = processing.find((one) => one.waitingFor !== '')?.waitingFor;
  return { lagMs: Math.max(...processing.map(({ lagMs }) => lagMs ?? 0)), waitingFor };
}

/** What no node does that is there. None where nobody has said yet that it is. */
export function missingRoles(nodes: readonly NodeEntry[]): Role[] {
  const running = nodes.filter(({ isGone }) => !isGone);
  return running.length === 0 ? [] : roleNames.filter((role) => !running.some(({ roles }) => roles.includes(role)));
}
