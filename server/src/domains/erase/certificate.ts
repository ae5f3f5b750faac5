/** What was found, what was removed, and what had left already or stays: told by a certificate that names nobody. */
import { sql } from 'kysely';
import { createFinder, type SoughtText } from '../../base/sought-text.ts';
import { erase as texts } from '../../base/texts/erase.ts';
import type { State } from '../../ports/state/state.ts';
import { markOf } from './match.ts';
import { type About, type IdentifierKind, isDistinct } from './person.ts';
import { likely } from './state-texts.ts';

/** Rows and files by kind; what only names the person in a text is told apart. */
export interface Found {
  readonly kinds: Readonly<Record<string, { readonly own: number; readonly mentioned: number }>>;
}

export type Removed = Record<string, number>;

interface Sent {
  readonly kind: string;
  readonly channel: string;
  readonly count: number;
  /** ms since the epoch. */
  readonly lastAt: number;
}

/** What was sent to somebody outside before. */
export interface Left {
  /** Mails, messages and webhooks that name the person, by what they are and where they went. */
  readonly deliveries: readonly Sent[];
  /** Projects that forward what they receive: the target has what came since. */
  readonly mirrors: readonly { readonly project: string; readonly since: number; readonly forwarded: number }[];
  /** Whether entries of the audit log go elsewhere. */
  readonly auditStream: boolean;
}

export interface Certificate {
  readonly id: number;
  readonly reference: string;
  /** ms since the epoch, as all times here. */
  readonly requestedAt: number;
  readonly confirmedAt: number;
  readonly finishedAt: number;
  readonly salt: string;
  /** SHA-256, hex, of salt, kind and value, with line breaks between them. */
  readonly values: readonly { readonly kind: IdentifierKind | 'event'; readonly sha256: string }[];
  readonly projects: readonly string[];
  readonly mentions: boolean;
  readonly found: Found;
  readonly removed: Removed;
  readonly left: Left;
  /** What stays, and why, in words. */
  readonly remains: readonly string[];
  /** Rows, texts and files that a last search found; 0. */
  readonly foundAfter: number;
}

export const valuesOf = (about: About, salt: string): Certificate['values'] =>
  about.event
    ? [{ kind: 'event', sha256: markOf(salt, 'event', about.event.eventId) }]
    : about.person.map(({ kind, value }) => ({ kind, sha256: markOf(salt, kind, value) }));

interface SentText {
  readonly id: number | string;
  readonly text: string;
  readonly kind: string;
  /** Null for a mail. */
  readonly type: string | null;
  readonly name: string | null;
  readonly at: number | string;
}

const rowsAtOnce = 500;

async function* sentBefore(
  state: State,
  organizationId: string,
  sought: readonly SoughtText[],
): AsyncGenerator<SentText> {
  if (sought.length === 0) return;
  const page = {
    messages: (after: number) => sql<SentText>`
      select d.id, d.notification as text, d.kind, c.type, c.name,
        coalesce(d.finished_at, d.committed_at, d.created_at) as at
      from delivery d left join channel c on c.id = d.channel_id
      where d.organization_id = ${organizationId} and d.id > ${after}
        and (d.state in ('sent', 'uncertain', 'merged') or d.committed_at is not null)
        and (${likely(state, 'd.notification', sought)}) order by d.id limit ${rowsAtOnce}`,
    webhooks: (after: number) => sql<SentText>`
      select d.id, d.body as text, d.event as kind, 'webhook' as type, w.name,
        coalesce(d.finished_at, d.first_at, d.created_at) as at
      from webhook_delivery d join webhook w on w.id = d.webhook_id
      where w.organization_id = ${organizationId} and d.id > ${after} and (d.state = 'sent' or d.tries <> '[]')
        and (${likely(state, 'd.body', sought)}) order by d.id limit ${rowsAtOnce}`,
  };
  for (const next of Object.values(page)) {
    for (let after = 0; ;) {
      const { rows } = await next(after).execute(state.db);
      yield* rows;
      if (rows.length < rowsAtOnce) break;
      after = Number(rows.at(-1)?.id ?? after);
    }
  }
}

/** Before the texts of deliveries are written over. */
export async function whatLeft(
  state: State,
  { organizationId, projectIds }: { readonly organizationId: string; readonly projectIds: readonly number[] },
  sought: readonly SoughtText[],
): Promise<Left> {
  const groups = new Map<string, Sent>();
  const add = (kind: string, channel: string, at: number): void => {
    const group = groups.get(`${kind} ${channel}`) ?? { kind, channel, count: 0, lastAt: 0 };
    const { count, lastAt } = group;
    groups.set(`${kind} ${channel}`, { ...group, count: count + 1, lastAt: Math.max(lastAt, at) });
  };
  const finder = createFinder(sought);
  for await (const { text, kind, type, name, at } of sentBefore(state, organizationId, sought))
    if (finder.isInText(text)) add(kind, type === null ? texts.byMail : `${type} ${name ?? ''}`.trim(), Number(at));
  const mirrors = await state.db
    .selectFrom('mirror')
    .innerJoin('project', 'project.id', 'mirror.project_id')
    .select(['project.slug', 'mirror.created_at', 'mirror.forwarded'])
    .where('mirror.project_id', 'in', projectIds.length > 0 ? projectIds : [-1])
    .execute();
  const { rows: streams } = await sql`
    select 1 from audit_stream where organization_id = ${organizationId} limit 1`.execute(state.db);
  return {
    deliveries: [...groups.values()],
    mirrors: mirrors.map(({ slug, created_at, forwarded }) => ({
      project: slug,
      since: Number(created_at),
      forwarded: Number(forwarded),
    })),
    auditStream: streams.length > 0,
  };
}

export function remainsOf(
  about: About,
  {
    audit,
    restorePoints,
    unwritten,
    hasParts,
    dialect,
  }: {
    readonly audit: number;
    readonly restorePoints: number;
    /** Bytes of a state store that was too large to be written anew. */
    readonly unwritten: number;
    /** Of the events store, that others stand for and that were not deleted in time. */
    readonly hasParts: boolean;
    readonly dialect: State['capabilities']['dialect'];
  },
): string[] {
  const { remains } = texts;
  return [
    remains.aggregates,
    ...(about.event ? [] : [remains.members]),
    ...(audit > 0 ? [remains.audit(audit)] : []),
    remains.backups,
    ...(restorePoints > 0 ? [remains.restorePoints(restorePoints)] : []),
    ...(unwritten > 0 ? [dialect === 'postgres' ? remains.tables(unwritten) : remains.stateStore(unwritten)] : []),
    ...(hasParts ? [remains.parts] : []),
    ...(dialect === 'postgres' ? [remains.writeAhead] : []),
    ...(about.event ? [remains.sent] : [remains.files]),
    ...about.person.filter((one) => !isDistinct(one)).map(({ kind }) => remains.short(kind)),
  ];
}
