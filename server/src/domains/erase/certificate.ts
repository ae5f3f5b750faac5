/** What was found, what was removed, and what had left already or stays: told by a certificate that names nobody. */
import { sql } from 'kysely';
import { createFinder, type SoughtText } from '../../base/sought-text.ts';
import { erase as texts } from '../../base/texts/erase.ts';
import type { State } from '../../ports/state/state.ts';
import { markOf } from './match.ts';
import { type About, type IdentifierKind, isDistinct } from './person.ts';

/** Rows and files by kind; what only names the person in a text is told apart. */
export interface Found {
  readonly kinds: Readonly<Record<string, { readonly own: number; readonly mentioned: number }>>;
}

export type Removed = Record<string, number>;

/** What was sent to somebody outside before. */
export interface Left {
  /** Notifications that name the person, by what they are and where they went. */
  readonly deliveries: readonly {
    readonly kind: string;
    readonly channel: string;
    readonly count: number;
    /** ms since the epoch. */
    readonly lastAt: number;
  }[];
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

/** Before the texts of deliveries are written over. */
export async function whatLeft(
  state: State,
  { organizationId, projectIds }: { readonly organizationId: string; readonly projectIds: readonly number[] },
  sought: readonly SoughtText[],
): Promise<Left> {
  const finder = createFinder(sought);
  const groups = new Map<string, { kind: string; channel: string; count: number; lastAt: number }>();
  let after = 0;
  while (sought.length > 0) {
    const rows = await state.db
      .selectFrom('delivery')
      .leftJoin('channel', 'channel.id', 'delivery.channel_id')
      .select([
        'delivery.id',
        'delivery.kind',
        'delivery.notification',
        'delivery.committed_at',
        'channel.type',
        'channel.name',
      ])
      .where('delivery.organization_id', '=', organizationId)
      .where('delivery.id', '>', after)
      .orderBy('delivery.id')
      .limit(500)
      .execute();
    for (const { kind, notification, committed_at: at, type, name } of rows) {
      if (at === null || !finder.isInText(notification)) continue;
      const channel = type === null ? 'mail' : `${type} ${name ?? ''}`.trim();
      const group = groups.get(`${kind} ${channel}`) ?? { kind, channel, count: 0, lastAt: 0 };
      group.count++;
      group.lastAt = Math.max(group.lastAt, Number(at));
      groups.set(`${kind} ${channel}`, group);
    }
    if (rows.length < 500) break;
    after = Number(rows.at(-1)?.id ?? after);
  }
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
  }: {
    readonly audit: number;
    readonly restorePoints: number;
    /** Bytes of a state store that was too large to be written anew. */
    readonly unwritten: number;
  },
): string[] {
  const { remains } = texts;
  return [
    remains.aggregates,
    ...(about.event ? [] : [remains.members]),
    ...(audit > 0 ? [remains.audit(audit)] : []),
    remains.backups,
    ...(restorePoints > 0 ? [remains.restorePoints(restorePoints)] : []),
    ...(unwritten > 0 ? [remains.stateStore(unwritten)] : []),
    ...(about.event ? [remains.sent] : [remains.files]),
    ...about.person.filter((one) => !isDistinct(one)).map(({ kind }) => remains.short(kind)),
  ];
}
