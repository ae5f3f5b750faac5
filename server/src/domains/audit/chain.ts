/**
 * The chain: each entry has a hash over the hash before it and its own text, and the head of the chain is sealed with the
 * installation's key. Who changes, removes or reorders entries breaks the chain at that place, and who makes it whole
 * again, or cuts its end, cannot seal the head.
 *
 * What the head's seal says is looked at before it is replaced. Where it does not hold (another key, none, or one that is
 * wrong), an entry says so before anything else is written: a break is never covered by the next entry.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Secrets } from '../../base/secrets/index.ts';
import type { AuditLogTable } from '../../ports/state/audit-tables.ts';
import type { StateTransaction } from '../../ports/state/state.ts';
import { contentOf, type Content, type Draft } from './entry.ts';

/** Of the installation; commands that have no key seal nothing. */
export interface Seal {
  /** The fingerprint of the key. */
  readonly keyId: string;
  readonly key: Buffer;
}

/** Of a process that has the key. */
export const sealOf = (secrets: Pick<Secrets, 'fingerprint' | 'derive'>): Seal => ({
  keyId: secrets.fingerprint,
  key: secrets.derive('head of the audit log'),
});

export type Head = Selectable<AuditLogTable>;

export type SealState = 'holds' | 'other key' | 'unsealed' | 'broken';

export const hashOf = (previous: string, content: string): string =>
  createHash('sha256').update(`${previous}\n${content}`).digest('hex');

type Sealed = Pick<Head, 'organization_id' | 'seq' | 'hash' | 'anchor_seq' | 'anchor_hash'>;

function signature(key: Buffer, head: Sealed): Buffer {
  const { organization_id, seq, hash, anchor_seq, anchor_hash } = head;
  return createHmac('sha256', key).update([organization_id, seq, hash, anchor_seq, anchor_hash].join('\n')).digest();
}

export const sealed = (seal: Seal | undefined, head: Sealed): Pick<Head, 'key_id' | 'seal'> =>
  seal ? { key_id: seal.keyId, seal: signature(seal.key, head).toString('base64url') } : { key_id: '', seal: '' };

export function sealState(seal: Seal | undefined, head: Head): SealState {
  if (head.seal === '') return 'unsealed';
  if (seal?.keyId !== head.key_id) return 'other key';
  const [is, ought] = [Buffer.from(head.seal, 'base64url'), signature(seal.key, head)];
  return is.length === ought.length && timingSafeEqual(is, ought) ? 'holds' : 'broken';
}

export const emptyHead = (organizationId: string): Head => ({
  organization_id: organizationId,
  seq: 0,
  hash: '',
  anchor_seq: 0,
  anchor_hash: '',
  key_id: '',
  seal: '',
  retention_days: null,
});

export const readHead = (db: Pick<StateTransaction, 'selectFrom'>, organizationId: string): Promise<Head | undefined> =>
  db.selectFrom('audit_log').selectAll().where('organization_id', '=', organizationId).executeTakeFirst();

/** What an entry says of itself, by which it is found. */
export const columnsOf = ({ at, action, actor, target, source }: Content) => ({
  at: Date.parse(at),
  action,
  actor: actorKey(actor),
  target_type: target.type,
  target_id: target.id ?? '',
  address: source.address ?? '',
});

/** `user:ID`, `token:ID`, or a kind of actor that has none. */
export const actorKey = ({ type, id }: Content['actor']): string => (id === undefined ? type : `user:${id}`);

/**
 * Appends in the transaction of what the drafts tell, all of one organisation. Whoever appends to the same chain at the
 * same time waits, or is repeated, since both write the head. Returns the head.
 */
export async function append(
  trx: StateTransaction,
  seal: Seal | undefined,
  organizationId: string,
  drafts: readonly Draft[],
  nowMs: number,
): Promise<Head> {
  const found = await readHead(trx, organizationId);
  const head = found ?? emptyHead(organizationId);
  // Nothing was written yet: there is nothing that a seal could have held together.
  const state = head.seq > 0 ? sealState(seal, head) : 'holds';
  const remark = state === 'holds' ? [] : [resealed(head, state)];
  let { seq, hash } = head;
  const rows = [...remark, ...drafts].map((draft) => {
    seq += 1;
    const content = contentOf(draft, seq, nowMs);
    const text = JSON.stringify(content);
    hash = hashOf(hash, text);
    return { organization_id: organizationId, seq, ...columnsOf(content), content: text, hash };
  });
  await trx.insertInto('audit_entry').values(rows).execute();
  const next = { ...head, seq, hash };
  return writeHead(trx, seal, next, found !== undefined);
}

export async function writeHead(
  trx: StateTransaction,
  seal: Seal | undefined,
  next: Head,
  isKnown: boolean,
): Promise<Head> {
  const head = { ...next, ...sealed(seal, next) };
  const { organization_id, ...columns } = head;
  if (isKnown) {
    await trx.updateTable('audit_log').set(columns).where('organization_id', '=', organization_id).execute();
  } else await trx.insertInto('audit_log').values(head).execute();
  return head;
}

const resealed = (head: Head, reason: SealState): Draft => ({
  organizationId: head.organization_id,
  action: 'audit_log.reseal',
  actor: { type: 'system' },
  source: {},
  target: { id: head.organization_id, name: '' },
  details: { reason, entry: head.seq, hash: head.hash },
});
