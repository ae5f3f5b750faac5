/** Reading the audit log: pages, newest first, and all of it in order. */
import type { ExpressionBuilder } from 'kysely';
import type { StateSchema } from '../../ports/state/schema.ts';
import type { State } from '../../ports/state/state.ts';
import { readHead } from './chain.ts';
import { defaultRetentionDays } from './days.ts';
import type { Content } from './entry.ts';

export interface Entry extends Content {
  readonly hash: string;
}

export interface AuditFilter {
  /** Any of them; a name without a verb stands for all of that noun. */
  readonly actions?: readonly string[];
  /** `user:ID`, or the kind of an actor that has none. */
  readonly actor?: string | undefined;
  /** A type of targets, or `type:ID`. */
  readonly target?: string | undefined;
  readonly address?: string | undefined;
  /** ms since the epoch; `untilMs` is exclusive. */
  readonly fromMs?: number | undefined;
  readonly untilMs?: number | undefined;
}

export interface AuditPage {
  readonly entries: readonly Entry[];
  readonly hasNewer: boolean;
  readonly hasOlder: boolean;
}

const toEntry = ({ content, hash }: { content: string; hash: string }): Entry => ({
  ...(JSON.parse(content) as Content),
  hash,
});

const entries = (state: State, organizationId: string, filter: AuditFilter) =>
  state.db
    .selectFrom('audit_entry')
    .select(['seq', 'content', 'hash'])
    .where('organization_id', '=', organizationId)
    .where((entry) => matching(entry, filter));

function matching(entry: ExpressionBuilder<StateSchema, 'audit_entry'>, filter: AuditFilter) {
  const { actions = [], actor, target, address, fromMs, untilMs } = filter;
  const [type, id] = target === undefined ? [] : parted(target);
  const named = actions.map((name) =>
    // The character after the dot ends the range of all names that begin so.
    name.includes('.') || name === 'sign_out'
      ? entry('action', '=', name)
      : entry.and([entry('action', '>=', `${name}.`), entry('action', '<', `${name}/`)]),
  );
  return entry.and([
    ...(named.length ? [entry.or(named)] : []),
    ...(actor === undefined ? [] : [entry('actor', '=', actor)]),
    ...(type === undefined ? [] : [entry('target_type', '=', type)]),
    ...(id === undefined ? [] : [entry('target_id', '=', id)]),
    ...(address === undefined ? [] : [entry('address', '=', address)]),
    ...(fromMs === undefined ? [] : [entry('at', '>=', fromMs)]),
    ...(untilMs === undefined ? [] : [entry('at', '<', untilMs)]),
  ]);
}

function parted(target: string): [type: string, id: string | undefined] {
  const at = target.indexOf(':');
  return at < 0 ? [target, undefined] : [target.slice(0, at), target.slice(at + 1)];
}

/** `before` and `after` are numbers of entries; the page next to them. */
export async function listEntries(
  state: State,
  organizationId: string,
  filter: AuditFilter,
  { before, after, limit }: { before?: number | undefined; after?: number | undefined; limit: number },
): Promise<AuditPage> {
  const matches = entries(state, organizationId, filter);
  if (after !== undefined) {
    const rows = await matches
      .where('seq', '>', after)
      .orderBy('seq', 'asc')
      .limit(limit + 1)
      .execute();
    const shown = rows.slice(0, limit).toReversed();
    return { entries: shown.map(toEntry), hasNewer: rows.length > limit, hasOlder: true };
  }
  const rows = await (before === undefined ? matches : matches.where('seq', '<', before))
    .orderBy('seq', 'desc')
    .limit(limit + 1)
    .execute();
  return {
    entries: rows.slice(0, limit).map(toEntry),
    hasNewer: before !== undefined,
    hasOlder: rows.length > limit,
  };
}

/** The next so many after one, in order. */
export async function entriesAfter(
  state: State,
  organizationId: string,
  seq: number,
  limit: number,
): Promise<readonly Entry[]> {
  const rows = await entries(state, organizationId, {})
    .where('seq', '>', seq)
    .orderBy('seq', 'asc')
    .limit(limit)
    .execute();
  return rows.map(toEntry);
}

const pageSize = 500;

/** All that match, the oldest first, in parts: up to the entry that is the last one when this begins. */
export async function* allEntries(
  state: State,
  organizationId: string,
  filter: AuditFilter,
  after = 0,
): AsyncGenerator<readonly Entry[]> {
  const { last } = await state.db
    .selectFrom('audit_entry')
    .select(({ fn }) => fn.max('seq').as('last'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow();
  let seq = after;
  for (;;) {
    const rows = await entries(state, organizationId, filter)
      .where('seq', '>', seq)
      .where('seq', '<=', last ?? 0)
      .orderBy('seq', 'asc')
      .limit(pageSize)
      .execute();
    if (rows.length) yield rows.map(toEntry);
    if (rows.length < pageSize) return;
    seq = rows.at(-1)?.seq ?? seq;
  }
}

/** Who stands in the log, to choose from; the most recent first. */
export async function actorsOf(
  state: State,
  organizationId: string,
): Promise<readonly { readonly key: string; readonly name: string | null }[]> {
  const rows = await state.db
    .selectFrom('audit_entry')
    .select(['actor', ({ fn }) => fn.max('seq').as('last')])
    .where('organization_id', '=', organizationId)
    .groupBy('actor')
    .orderBy('last', 'desc')
    .limit(200)
    .execute();
  const lasts = rows.map(({ last }) => last);
  const entriesOf = lasts.length ? await entries(state, organizationId, {}).where('seq', 'in', lasts).execute() : [];
  const names = new Map(entriesOf.map((row) => [row.seq, toEntry(row).actor]));
  return rows.map(({ actor, last }) => {
    const named = names.get(last);
    return { key: actor, name: named?.name ?? named?.email ?? null };
  });
}

export interface LogFacts {
  readonly entries: number;
  readonly first: number;
  readonly last: number;
  readonly hash: string;
  readonly retentionDays: number;
}

export async function factsOfLog(state: State, organizationId: string): Promise<LogFacts> {
  const head = await readHead(state.db, organizationId);
  const [first, last] = head ? [head.anchor_seq + 1, head.seq] : [1, 0];
  return {
    entries: last - first + 1,
    first,
    last,
    hash: head?.hash ?? '',
    retentionDays: head?.retention_days ?? defaultRetentionDays,
  };
}
