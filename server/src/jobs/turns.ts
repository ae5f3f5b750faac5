/**
 * Whose turn a job is that one node runs at a time: a row for each job, claimed by the node that runs it. A node keeps what
 * it runs more often than a lease lasts, so that an idle server writes no more than its heartbeat.
 */
import { sql } from 'kysely';
import { beatsOfLease, type Claimer, type Job, LeaseLost, type Turn, type Turns } from '../base/jobs/index.ts';
import { claimDue } from '../ports/state/claims.ts';
import type { State } from '../ports/state/state.ts';

export interface SharedTurns extends Turns {
  close(): void;
}

export interface TurnsOptions extends Claimer {
  readonly state: State;
}

export function openTurns({ state, node, leaseMs }: TurnsOptions): SharedTurns {
  const held = new Map<string, AbortController>();
  let beat: Promise<void> | undefined;

  async function keep(): Promise<void> {
    if (!held.size) return;
    // What is taken meanwhile is not asked about.
    const asked = [...held];
    const names = asked.map(([name]) => name);
    const rows = await state.db
      .updateTable('job')
      .set({ claimed_until: Date.now() + leaseMs })
      .where('claimed_by', '=', node)
      .where('name', 'in', names)
      .returning('name')
      .execute();
    const kept = new Set(rows.map(({ name }) => name));
    for (const [name, lost] of asked) if (!kept.has(name)) lose(name, lost);
  }

  function lose(name: string, lost: AbortController): void {
    // Its turn is over, or it has another by now.
    if (held.get(name) !== lost) return;
    held.delete(name);
    lost.abort(new LeaseLost(`another node took over ${name}`));
  }

  // Where the store is away for longer than a lease, another node may have it by then, and the next beat says so.
  const timer = setInterval(() => {
    beat ??= keep()
      .catch(() => {})
      .finally(() => (beat = undefined));
  }, leaseMs / beatsOfLease).unref();

  const turnOf = (job: Job, lost: AbortController, isFresh: boolean): Turn => ({
    isFresh,
    signal: lost.signal,
    async end({ afterMs, attempts }) {
      if (job.everyMs < leaseMs || held.get(job.name) !== lost) return;
      held.delete(job.name);
      await state.db
        .updateTable('job')
        .set({ due_at: Date.now() + Math.round(afterMs), attempts, claimed_by: '', claimed_until: 0 })
        .where('name', '=', job.name)
        .where('claimed_by', '=', node)
        .execute();
    },
  });

  return {
    async take(job, isRung = false) {
      const known = held.get(job.name);
      if (known) return turnOf(job, known, false);
      const nowMs = Date.now();
      await state.db
        .updateTable('job')
        .set({ due_at: nowMs })
        .where('name', '=', job.name)
        // Rung, or from a clock that has been put back or a version that ran it less often.
        .where('due_at', '>', isRung ? nowMs : nowMs + job.everyMs)
        .execute();
      const ready = sql`name = ${job.name}`;
      const [claimed] = await claimDue(state, { table: 'job', ready, limit: 1 }, { node, nowMs, leaseMs });
      if (claimed) {
        const lost = new AbortController();
        held.set(job.name, lost);
        return turnOf(job, lost, true);
      }
      const row = await state.db
        .selectFrom('job')
        .select(['due_at', 'claimed_until'])
        .where('name', '=', job.name)
        .executeTakeFirst();
      const isClaimed = (row?.claimed_until ?? 0) > nowMs;
      const freeAt = isClaimed ? nowMs + leaseMs / beatsOfLease : (row?.due_at ?? nowMs);
      return { afterMs: Math.max(freeAt - nowMs, Math.min(1_000, job.everyMs)), isClaimed };
    },
    close: () => clearInterval(timer),
  };
}
