/** Mirrors in the state store. */
import type { Selectable } from 'kysely';
import type { TextBox } from '../../base/secrets/index.ts';
import type { MirrorTable } from '../../ports/state/mirror-tables.ts';
import type { State } from '../../ports/state/state.ts';
import type { Tally } from './forwarder.ts';
import { readTarget, type Target } from './target.ts';

/** A mirror as it is stored, with its DSN opened. */
export interface Mirror {
  readonly projectId: number;
  /** Undefined where it was sealed with another key. */
  readonly target: Target | undefined;
  readonly enabled: boolean;
  readonly createdAt: number;
  readonly forwarded: number;
  readonly refused: number;
  readonly dropped: number;
  readonly forwardedAt: number | null;
  readonly refusedAt: number | null;
  readonly refusal: string;
  readonly droppedAt: number | null;
  readonly failingSince: number | null;
  readonly problem: string;
}

const placeOf = (projectId: number): string => `mirror ${projectId}`;

export async function listMirrors({ db }: Pick<State, 'db'>, box: TextBox): Promise<Mirror[]> {
  return (await db.selectFrom('mirror').selectAll().orderBy('project_id').execute()).map((row) => toMirror(row, box));
}

export async function findMirror(
  { db }: Pick<State, 'db'>,
  box: TextBox,
  projectId: number,
): Promise<Mirror | undefined> {
  const row = await db.selectFrom('mirror').selectAll().where('project_id', '=', projectId).executeTakeFirst();
  return row && toMirror(row, box);
}

export interface NewMirror {
  readonly projectId: number;
  readonly target: Target;
  readonly enabled: boolean;
}

/** With another DSN its counts begin anew. */
export async function setMirror(
  inside: Pick<State, 'db'>,
  box: TextBox,
  { projectId, target, enabled }: NewMirror,
): Promise<void> {
  const before = await findMirror(inside, box, projectId);
  if (before?.target?.dsn === target.dsn) {
    await inside.db
      .updateTable('mirror')
      .set({ enabled: enabled ? 1 : 0 })
      .where('project_id', '=', projectId)
      .execute();
    return;
  }
  await removeMirror(inside, projectId);
  await inside.db
    .insertInto('mirror')
    .values({
      project_id: projectId,
      dsn: box.seal(target.dsn, placeOf(projectId)),
      enabled: enabled ? 1 : 0,
      created_at: Date.now(),
    })
    .execute();
}

export async function removeMirror({ db }: Pick<State, 'db'>, projectId: number): Promise<void> {
  await db.deleteFrom('mirror').where('project_id', '=', projectId).execute();
}

/** Adds what one node has done since it said so last. */
export async function addTally(state: State, projectId: number, tally: Tally): Promise<void> {
  const { forwarded, refused, dropped, refusal, problem } = tally;
  if (forwarded + refused + dropped === 0 && problem === undefined) return;
  const nowMs = Date.now();
  await state.db
    .updateTable('mirror')
    .set((column) => ({
      forwarded: column('forwarded', '+', forwarded),
      refused: column('refused', '+', refused),
      dropped: column('dropped', '+', dropped),
      ...(forwarded > 0 && { forwarded_at: nowMs }),
      ...(refused > 0 && { refused_at: nowMs, refusal }),
      ...(dropped > 0 && { dropped_at: nowMs }),
      ...(problem === '' && { problem: '', failing_since: null }),
      ...(problem && { problem }),
      // A target that refuses all of it fails as one that is away does.
      ...((problem || (problem === undefined && refused > 0)) && {
        failing_since: column.fn.coalesce('failing_since', column.val(nowMs)),
      }),
    }))
    .where('project_id', '=', projectId)
    .execute();
}

function toMirror(row: Selectable<MirrorTable>, box: TextBox): Mirror {
  const dsn = box.open(row.dsn, placeOf(row.project_id));
  return {
    projectId: row.project_id,
    // Where it leads was checked when it was set.
    target: dsn === undefined ? undefined : readTarget(dsn, ''),
    enabled: row.enabled === 1,
    createdAt: row.created_at,
    forwarded: row.forwarded,
    refused: row.refused,
    dropped: row.dropped,
    forwardedAt: row.forwarded_at,
    refusedAt: row.refused_at,
    refusal: row.refusal,
    droppedAt: row.dropped_at,
    failingSince: row.failing_since,
    problem: row.problem,
  };
}
