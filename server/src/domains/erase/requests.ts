/**
 * Requests, in the state store: finding → found → (exporting → found) → removing → done. What was found is forgotten after
 * an hour (`expired`) unless somebody confirms; it can be cancelled until removing begins. Removing is tried until it is
 * done. Once a request is over, its row names nobody any more.
 */
import { randomBytes } from 'node:crypto';
import { type Insertable, type Selectable, sql } from 'kysely';
import { CodedError } from '../../base/errors.ts';
import type { Claimer, JobCounts } from '../../base/jobs/index.ts';
import type { TextBox } from '../../base/secrets/index.ts';
import { type Claim, claimDue, holdClaim, nextClaimAt, released, unclaimed } from '../../ports/state/claims.ts';
import type { ErasureState, ErasureTable } from '../../ports/state/erase-tables.ts';
import type { State, StateTransaction } from '../../ports/state/state.ts';
import type { Certificate, Found } from './certificate.ts';
import type { About } from './person.ts';

export interface Progress {
  readonly step: string;
  /** Of the step, from 0 to 1. */
  readonly done: number;
}

export interface Erasure {
  readonly id: number;
  readonly organizationId: string;
  readonly userId: string | null;
  readonly state: ErasureState;
  readonly reference: string;
  readonly salt: string;
  readonly progress: Progress | undefined;
  readonly found: Found | undefined;
  readonly certificate: Certificate | undefined;
  readonly fileBytes: number;
  readonly detail: string;
  readonly attempts: number;
  /** ms since the epoch. */
  readonly createdAt: number;
  readonly confirmedAt: number | null;
  readonly finishedAt: number | null;
  /** Sealed; '' once it is over. */
  readonly about: string;
}

/** Of one organisation: not over yet, and within a day. */
const maxOpen = 3;
const maxDaily = 50;
const dayMs = 86_400_000;
/** So long what was found can be confirmed. */
const foundMs = 3_600_000;
const maxAttempts = 5;

const openStates = ['finding', 'found', 'exporting', 'removing'] as const satisfies readonly ErasureState[];
const place = (salt: string): string => `erasure ${salt}`;

export const openAbout = (box: TextBox, { about, salt }: Pick<Erasure, 'about' | 'salt'>): About | undefined => {
  const text = about === '' ? undefined : box.open(about, place(salt));
  return text === undefined ? undefined : (JSON.parse(text) as About);
};

interface Owner {
  readonly organizationId: string;
  readonly userId: string | null;
}

/** One that removes at once needs no confirmation any more. */
function newErasure(
  box: TextBox,
  { organizationId, userId }: Owner,
  { about, reference, state }: { readonly about: About; readonly reference: string; readonly state: ErasureState },
  now: number,
): Insertable<ErasureTable> {
  const salt = randomBytes(32).toString('hex');
  return {
    organization_id: organizationId,
    user_id: userId,
    state,
    about: box.seal(JSON.stringify(about), place(salt)),
    reference,
    salt,
    progress: '',
    found: '',
    certificate: '',
    file_bytes: 0,
    detail: '',
    ...unclaimed(now),
    created_at: now,
    confirmed_at: state === 'removing' ? now : null,
    finished_at: null,
  };
}

/** Throws `ERASURES_FULL`. */
export async function addErasure(
  { db }: State,
  box: TextBox,
  owner: Owner,
  { about, reference }: { readonly about: About; readonly reference: string },
  now: number,
): Promise<Erasure> {
  const { open, daily } = await db
    .selectFrom('erasure')
    .select(({ fn }) => [
      fn.countAll<number | string>().filterWhere('state', 'in', openStates).as('open'),
      fn
        .countAll<number | string>()
        .filterWhere('created_at', '>', now - dayMs)
        .as('daily'),
    ])
    .where('organization_id', '=', owner.organizationId)
    .executeTakeFirstOrThrow();
  if (Number(open) >= maxOpen || Number(daily) >= maxDaily)
    throw new CodedError('ERASURES_FULL', [maxOpen, maxDaily], { retryAfter: 60 });
  const made = newErasure(box, owner, { about, reference, state: 'finding' }, now);
  return toErasure(await db.insertInto('erasure').values(made).returningAll().executeTakeFirstOrThrow());
}

/** To be removed by the server when it starts; once, under its reference. */
export async function addRestored(
  { db }: State,
  box: TextBox,
  { organizationId, about }: { readonly organizationId: string; readonly about: About },
  reference: string,
  now: number,
): Promise<void> {
  const known = await db
    .selectFrom('erasure')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('reference', '=', reference)
    .where('state', '=', 'removing')
    .executeTakeFirst();
  if (known) return;
  const made = newErasure(box, { organizationId, userId: null }, { about, reference, state: 'removing' }, now);
  await db.insertInto('erasure').values(made).execute();
}

export async function listErasures({ db }: State, organizationId: string): Promise<Erasure[]> {
  const rows = await db
    .selectFrom('erasure')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('id', 'desc')
    .limit(100)
    .execute();
  return rows.map(toErasure);
}

export async function findErasure({ db }: State, organizationId: string, id: number): Promise<Erasure | undefined> {
  const row = await db
    .selectFrom('erasure')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && toErasure(row);
}

/** False where it is in none of the states. */
export async function moveErasure(
  { db }: Pick<State, 'db'>,
  { id }: Pick<Erasure, 'id'>,
  from: readonly ErasureState[],
  to: ErasureState,
  now: number,
): Promise<boolean> {
  const isOver = to === 'cancelled' || to === 'failed' || to === 'expired';
  const { numUpdatedRows } = await db
    .updateTable('erasure')
    .set({
      state: to,
      progress: '',
      detail: '',
      attempts: 0,
      due_at: now,
      ...(to === 'removing' && { confirmed_at: now }),
      ...(isOver && { about: '', found: '', finished_at: now, ...released }),
    })
    .where('id', '=', id)
    .where('state', 'in', from)
    .executeTakeFirst();
  return Number(numUpdatedRows) > 0;
}

const work = sql`state in ('finding', 'exporting', 'removing')`;

/** The one that waits longest. One that broke off too often fails, unless it has begun to remove. */
export async function takeErasure(state: State, claimer: Claimer, failed: string): Promise<Erasure | undefined> {
  for (;;) {
    const [row] = await claimDue(state, { table: 'erasure', ready: work, limit: 1 }, claimer);
    if (!row) return undefined;
    if (row.attempts <= maxAttempts || row.state === 'removing') return toErasure(row);
    await failErasure(state, { id: row.id, node: claimer.node }, failed);
  }
}

export const nextErasureAt = (state: State): Promise<number | undefined> =>
  nextClaimAt(state, { table: 'erasure', ready: work });

export interface Claimed {
  readonly id: number;
  readonly node: string;
}

export const holdErasure = async (state: State, { id, state: own }: Erasure, claim: Claim): Promise<boolean> =>
  (await holdClaim(state.db, { table: 'erasure', ready: sql`id = ${id} and state = ${own}` }, claim)) !== undefined;

const claimedBy = ({ db }: Pick<State, 'db'>, { id, node }: Claimed) =>
  db.updateTable('erasure').where('id', '=', id).where('claimed_by', '=', node);

export async function noteProgress(state: State, claimed: Claimed, progress: Progress): Promise<void> {
  await claimedBy(state, claimed)
    .set({ progress: JSON.stringify(progress) })
    .execute();
}

/** Found, or exported: somebody has an hour to go on. */
export async function endFinding(
  state: State,
  claimed: Claimed,
  { found, fileBytes }: { readonly found?: Found; readonly fileBytes?: number },
  now: number,
): Promise<void> {
  await claimedBy(state, claimed)
    .set({
      state: 'found',
      progress: '',
      ...(found && { found: JSON.stringify(found) }),
      ...(fileBytes !== undefined && { file_bytes: fileBytes }),
      ...released,
      attempts: 0,
      due_at: now + foundMs,
    })
    .where('state', 'in', ['finding', 'exporting'])
    .execute();
}

/** In the transaction that notes what a restore must not bring back. */
export async function endRemoving(
  trx: StateTransaction,
  claimed: Claimed,
  certificate: Certificate,
  now: number,
): Promise<void> {
  await claimedBy({ db: trx }, claimed)
    .set({
      state: 'done',
      about: '',
      found: '',
      progress: '',
      detail: '',
      file_bytes: 0,
      certificate: JSON.stringify(certificate),
      finished_at: now,
      ...released,
    })
    .where('state', '=', 'removing')
    .execute();
}

export async function failErasure(state: State, claimed: Claimed, detail: string): Promise<void> {
  await claimedBy(state, claimed)
    .set({ state: 'failed', about: '', found: '', progress: '', detail, finished_at: Date.now(), ...released })
    .execute();
}

/** Tried again a while later. */
export async function putOff(state: State, claimed: Claimed, detail: string, dueAt: number): Promise<void> {
  await claimedBy(state, claimed)
    .set({ detail: detail.slice(0, 1_000), due_at: dueAt, ...released })
    .execute();
}

/** Those that nobody confirmed; they name nobody from now on. Resolves to those that have a file. */
export async function expireErasures({ db }: State, now: number): Promise<Pick<Erasure, 'id' | 'organizationId'>[]> {
  const rows = await db
    .updateTable('erasure')
    .set({ state: 'expired', about: '', found: '', file_bytes: 0, finished_at: now, ...released })
    .where('state', '=', 'found')
    .where('due_at', '<=', now)
    .returning(['id', 'organization_id'])
    .execute();
  return rows.map((row) => ({ id: Number(row.id), organizationId: row.organization_id }));
}

export async function countErasures({ db }: State): Promise<JobCounts> {
  const now = Date.now();
  const { waiting, running } = await db
    .selectFrom('erasure')
    .select(({ fn }) => [
      fn.countAll<number | string>().filterWhere('claimed_until', '<=', now).as('waiting'),
      fn.countAll<number | string>().filterWhere('claimed_until', '>', now).as('running'),
    ])
    .where(work as never)
    .executeTakeFirstOrThrow();
  return { waiting: Number(waiting), running: Number(running) };
}

const parsed = <T>(text: string): T | undefined => (text === '' ? undefined : (JSON.parse(text) as T));

function toErasure(row: Selectable<ErasureTable>): Erasure {
  return {
    id: Number(row.id),
    organizationId: row.organization_id,
    userId: row.user_id,
    state: row.state,
    reference: row.reference,
    salt: row.salt,
    progress: parsed<Progress>(row.progress),
    found: parsed<Found>(row.found),
    certificate: parsed<Certificate>(row.certificate),
    fileBytes: Number(row.file_bytes),
    detail: row.detail,
    attempts: Number(row.attempts),
    createdAt: Number(row.created_at),
    confirmedAt: row.confirmed_at === null ? null : Number(row.confirmed_at),
    finishedAt: row.finished_at === null ? null : Number(row.finished_at),
    about: row.about,
  };
}
