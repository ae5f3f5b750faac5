/**
 * The webhook of an organisation: entries in their order, at least once. A batch is told as sent when the receiver has
 * said so; until then it comes again, however long that takes, and nothing after it.
 */
import { sql } from 'kysely';
import { createAlarm, type Job, type JobContext } from '../../../base/jobs/index.ts';
import { type AllowList, callOutside, type Lookup, signedHeaders } from '../../../base/outbound/index.ts';
import type { TextBox } from '../../../base/secrets/index.ts';
import { jobs as jobTexts } from '../../../base/texts/jobs.ts';
import { claimDue, holdClaim, nextClaimAt, released, unclaimed } from '../../../ports/state/claims.ts';
import type { State } from '../../../ports/state/state.ts';
import { readHead } from '../chain.ts';
import type { Entry } from '../query.ts';
import { entriesAfter } from '../query.ts';
import { outbound } from '../../../base/texts/outbound.ts';

const sink = 'webhook';
const maxEntries = 100;
const firstWaitMs = 10_000;
const longestWaitMs = 3_600_000;
const keptAnswer = 300;
const pauseMs = 1_000;

export interface StreamFacts {
  /** Without what may be secret in it. */
  readonly url: string;
  /** What that leaves out; it is never told. */
  readonly query: string;
  readonly enabled: boolean;
  /** The last entry that arrived. */
  readonly sentSeq: number;
  readonly sentAt: number | null;
  readonly failingSince: number | null;
  readonly problem: string;
}

/** What is undefined stays. */
export interface NewStream {
  readonly url?: string | undefined;
  readonly secret?: string | undefined;
  readonly enabled?: boolean | undefined;
}

export interface AuditStream {
  readonly job: Job;
  find(organizationId: string, inside?: Pick<State, 'db'>): Promise<StreamFacts | undefined>;
  /** From the next entry on where there was none; undefined: no more. Returns what a new one lacks. */
  set(
    inside: State,
    organizationId: string,
    stream: NewStream | undefined,
    nowMs: number,
  ): Promise<'url' | 'secret' | undefined>;
  wake(): void;
}

export interface StreamOptions {
  readonly state: State;
  readonly box: TextBox;
  readonly allow: AllowList;
  readonly lookup?: Lookup | undefined;
}

const placeOf = (organizationId: string): string => `audit stream ${organizationId}`;

/** Tokens may stand in the query, a password before the host. */
function shownUrl(url: string): string {
  if (!URL.canParse(url)) return '';
  const { origin, pathname, search } = new URL(url);
  return `${origin}${pathname}${search ? '?…' : ''}`;
}

const waiting = sql`enabled = 1 and sink = ${sink} and exists (
  select 1 from audit_log
  where audit_log.organization_id = audit_stream.organization_id and audit_log.seq > audit_stream.sent_seq)`;

const own = (organizationId: string) => sql`organization_id = ${organizationId} and sink = ${sink} and enabled = 1`;

export function createAuditStream({ state, box, allow, lookup }: StreamOptions): AuditStream {
  const alarm = createAlarm();

  const send = async (row: { organization_id: string; url: string; secret: string }, entries: readonly Entry[]) => {
    const secret = box.open(row.secret, placeOf(row.organization_id));
    if (secret === undefined) return outbound.otherKey;
    const body = JSON.stringify({ type: 'audit_log', organization: row.organization_id, entries });
    const id = `audit:${row.organization_id}:${entries[0]?.seq}-${entries.at(-1)?.seq}`;
    const headers = signedHeaders(secret, id, Date.now(), body);
    const call = { method: 'POST', url: row.url, headers, body, confined: true } as const;
    const { status, body: answer } = await callOutside(call, { allow, lookup });
    return status >= 200 && status < 300 ? undefined : `${status} ${answer.slice(0, keptAnswer)}`.trim();
  };

  const drain = async (row: Row, context: JobContext): Promise<void> => {
    let sent = row.sent_seq;
    const place = { table: 'audit_stream', ready: own(row.organization_id) } as const;
    for (;;) {
      const entries = context.signal.aborted ? [] : await entriesAfter(state, row.organization_id, sent, maxEntries);
      const last = entries.at(-1);
      // Only while nobody has changed or taken it meanwhile.
      const held = last && (await holdClaim(state.db, place, context));
      if (!last || held?.url !== row.url || held.secret !== row.secret) break;
      const problem = await send(held, entries).catch((error: unknown) => messageOf(error));
      if (problem !== undefined) {
        await note(row.organization_id, context.node, failed(held, problem));
        return;
      }
      sent = last.seq;
      const done = { sent_seq: sent, sent_at: Date.now(), failing_since: null, detail: '', attempts: 0 };
      await note(row.organization_id, context.node, done);
    }
    // Where the head promises entries that are not there, it is not asked for them without a pause.
    await note(row.organization_id, context.node, { ...released, attempts: 0, due_at: Date.now() + pauseMs });
  };

  const note = async (organizationId: string, node: string, columns: Partial<Row>): Promise<void> => {
    await state.db
      .updateTable('audit_stream')
      .set(columns)
      .where('organization_id', '=', organizationId)
      .where('sink', '=', sink)
      .where('claimed_by', '=', node)
      .execute();
  };

  return {
    job: {
      name: 'audit-stream',
      title: jobTexts.auditStream.title,
      nodes: 'each',
      everyMs: 10_000,
      alarm,
      failed: jobTexts.auditStream.failed,
      async run(context) {
        for (;;) {
          const rows = await claimDue(state, { table: 'audit_stream', ready: waiting, limit: 4 }, context);
          if (!rows.length || context.signal.aborted) break;
          await Promise.all(rows.map((row) => drain(row, context)));
        }
        return nextClaimAt(state, { table: 'audit_stream', ready: waiting });
      },
    },
    wake: () => alarm.ring(),
    async find(organizationId, { db } = state) {
      const row = await db
        .selectFrom('audit_stream')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('sink', '=', sink)
        .executeTakeFirst();
      return (
        row && {
          url: shownUrl(row.url),
          query: URL.canParse(row.url) ? new URL(row.url).search : '',
          enabled: row.enabled === 1,
          sentSeq: row.sent_seq,
          sentAt: row.sent_at,
          failingSince: row.failing_since,
          problem: row.detail,
        }
      );
    },
    async set(inside, organizationId, stream, nowMs) {
      const rows = inside.db.selectFrom('audit_stream').where('organization_id', '=', organizationId);
      const before = await rows.select(['url', 'secret', 'enabled']).where('sink', '=', sink).executeTakeFirst();
      if (!stream) {
        await inside.db
          .deleteFrom('audit_stream')
          .where('organization_id', '=', organizationId)
          .where('sink', '=', sink)
          .execute();
        return undefined;
      }
      const secret = stream.secret === undefined ? before?.secret : box.seal(stream.secret, placeOf(organizationId));
      const url = stream.url ?? before?.url;
      if (secret === undefined || url === undefined) return url === undefined ? 'url' : 'secret';
      const enabled = stream.enabled ?? before?.enabled !== 0;
      const columns = { url, secret, enabled: enabled ? 1 : 0, detail: '', failing_since: null };
      await inside.db
        .insertInto('audit_stream')
        .values({
          organization_id: organizationId,
          sink,
          sent_seq: (await readHead(inside.db, organizationId))?.seq ?? 0,
          sent_at: null,
          ...unclaimed(nowMs),
          ...columns,
        })
        .onConflict((conflict) =>
          conflict.columns(['organization_id', 'sink']).doUpdateSet({ ...columns, ...unclaimed(nowMs) }),
        )
        .execute();
      return undefined;
    },
  };
}

type Row = Awaited<ReturnType<typeof claimDue<'audit_stream'>>>[number];

function failed({ attempts, failing_since }: Row, detail: string): Partial<Row> {
  const nowMs = Date.now();
  const wait = Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(attempts - 1, 20));
  // Spread, so that what failed together does not come back together.
  const due = nowMs + Math.round(wait * (0.5 + Math.random() / 2));
  return { ...released, due_at: due, detail, failing_since: failing_since ?? nowMs };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
