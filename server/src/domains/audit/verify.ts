/** Walks a chain from its anchor to its head, and says where it breaks. Others may append, and drop what is old, meanwhile. */
import type { State } from '../../ports/state/state.ts';
import { columnsOf, type Head, hashOf, readHead, type Seal, sealState } from './chain.ts';
import type { Content } from './entry.ts';

/**
 * `changed`: it is not what was hashed, or not behind what is there before it. `missing`, `surplus`: numbers that are not there, or not before the
 * head. `moved`: another number stands in it. `cut`: the end is missing. `head`: it is not that of the last entry. `seal`: nobody with the key has written the head. `resealed`: an
 * entry says that of an earlier head. `noted`: the entry that was noted elsewhere is another one now, or not there.
 */
export type BreakKind = 'changed' | 'missing' | 'surplus' | 'moved' | 'cut' | 'head' | 'seal' | 'resealed' | 'noted';

export interface Break {
  readonly kind: BreakKind;
  /** The first entry that it is about. */
  readonly seq: number;
  /** The last one. */
  readonly until: number;
  /** Of a seal: why it does not hold. */
  readonly reason?: string;
}

/** An entry as somebody wrote it down elsewhere: it and all before it must still be the same. */
export interface Noted {
  readonly seq: number;
  readonly hash: string;
}

export interface Verified {
  readonly organizationId: string;
  /** The first entry that is kept; `last` is the head. */
  readonly first: number;
  readonly last: number;
  readonly hash: string;
  readonly entries: number;
  /** None: the chain is whole. At most a hundred. */
  readonly breaks: readonly Break[];
}

const pageSize = 500;
const maxBreaks = 100;

/** Undefined where the organisation has no log. */
export async function verifyChain(
  state: State,
  seal: Seal | undefined,
  organizationId: string,
  noted?: Noted,
): Promise<Verified | undefined> {
  for (;;) {
    const head = await readHead(state.db, organizationId);
    if (!head) {
      const found = await orphaned(state, organizationId);
      // The first entry of all may have been written just now.
      if (found && (await readHead(state.db, organizationId))) continue;
      return found;
    }
    const result = await walk(state, seal, head, noted);
    // What was dropped for its age meanwhile is no break.
    const now = await readHead(state.db, organizationId);
    if (!now || now.anchor_seq === head.anchor_seq) return result;
  }
}

async function walk(state: State, seal: Seal | undefined, head: Head, noted: Noted | undefined): Promise<Verified> {
  const breaks: Break[] = [];
  const note = (kind: BreakKind, seq: number, until = seq, reason?: string): void => {
    if (breaks.length < maxBreaks) breaks.push({ kind, seq, until, ...(reason !== undefined && { reason }) });
  };
  const held = sealState(seal, head);
  if (head.seq > 0 && held !== 'holds') note('seal', head.seq, head.seq, held);
  let { anchor_seq: seq, anchor_hash: hash } = head;
  let entries = 0;
  // One that was dropped for its age cannot be compared any more.
  let isNoted = noted === undefined || noted.seq < seq || (noted.seq === seq && noted.hash === hash);
  for (;;) {
    const rows = await state.db
      .selectFrom('audit_entry')
      .selectAll()
      .where('organization_id', '=', head.organization_id)
      .where('seq', '>', seq)
      .where('seq', '<=', head.seq)
      .orderBy('seq')
      .limit(pageSize)
      .execute();
    for (const row of rows) {
      const isGap = row.seq > seq + 1;
      if (isGap) note('missing', seq + 1, row.seq - 1);
      const content = read(row.content);
      if (hashOf(hash, row.content) !== row.hash && !isGap) note('changed', row.seq);
      else if (content && (content.seq !== row.seq || content.organization !== head.organization_id))
        note('moved', row.seq);
      else if (content && !isSaid(row, content)) note('changed', row.seq);
      // One that was noted elsewhere vouches for all before it.
      if (content?.action === 'audit_log.reseal' && !(noted && row.seq <= noted.seq)) {
        note('resealed', row.seq, row.seq, String(content.details?.['reason'] ?? ''));
      }
      if (noted?.seq === row.seq) isNoted = noted.hash === row.hash;
      ({ seq, hash } = row);
      entries += 1;
    }
    if (rows.length < pageSize) break;
  }
  if (seq < head.seq) note('cut', seq + 1, head.seq);
  else if (hash !== head.hash) note('head', head.seq);
  if (noted && !isNoted) note('noted', noted.seq);
  await findSurplus(state, head, note);
  return {
    organizationId: head.organization_id,
    first: head.anchor_seq + 1,
    last: head.seq,
    hash: head.hash,
    entries,
    breaks,
  };
}

type Note = (kind: BreakKind, seq: number, until?: number) => void;

/** Entries before the anchor, or behind the head as it is by now. */
async function findSurplus(state: State, head: Head, note: Note): Promise<void> {
  const entries = state.db.selectFrom('audit_entry').where('organization_id', '=', head.organization_id);
  const before = await entries
    .select(({ fn }) => [fn.min('seq').as('first'), fn.max('seq').as('last')])
    .where('seq', '<=', head.anchor_seq)
    .executeTakeFirst();
  if (before && before.first !== null) note('surplus', before.first, before.last);
  const last = await entries.select(({ fn }) => fn.max('seq').as('last')).executeTakeFirst();
  const now = await readHead(state.db, head.organization_id);
  if (last && now && last.last !== null && last.last > now.seq) note('surplus', now.seq + 1, last.last);
}

/** Entries without a head: somebody has taken it away. */
async function orphaned(state: State, organizationId: string): Promise<Verified | undefined> {
  const found = await state.db
    .selectFrom('audit_entry')
    .select(({ fn }) => [fn.min('seq').as('first'), fn.max('seq').as('last'), fn.countAll<number>().as('n')])
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  if (!found || found.first === null) return undefined;
  const breaks: Break[] = [{ kind: 'head', seq: found.first, until: found.last }];
  return { organizationId, first: found.first, last: found.last, hash: '', entries: Number(found.n), breaks };
}

function read(text: string): Content | undefined {
  try {
    return JSON.parse(text) as Content;
  } catch {
    return undefined;
  }
}

type Columns = ReturnType<typeof columnsOf>;
type StoredColumns = Readonly<Record<keyof Columns, string | number>>;

/** What lists are made by must be what the entry says. */
function isSaid(row: StoredColumns, content: Content): boolean {
  const ought = columnsOf(content);
  return (Object.keys(ought) as (keyof Columns)[]).every((name) => row[name] === ought[name]);
}
