/** Entries of the audit log as lines of a file. */
import type { Entry } from '../../domains/audit/index.ts';
import { exportHead, exportLine } from '../../domains/explore/index.ts';

const columns = [
  'seq',
  'at',
  'action',
  'actor_type',
  'actor_id',
  'actor_name',
  'actor_email',
  'session',
  'token_id',
  'token_name',
  'target_type',
  'target_id',
  'target_name',
  'project',
  'address',
  'agent',
  'changes',
  'details',
  'hash',
];

const csvLine = ({ seq, at, action, actor, target, source, changes, details, hash }: Entry): string =>
  exportLine('csv', columns, {
    seq,
    at,
    action,
    actor_type: actor.type,
    actor_id: actor.id ?? '',
    actor_name: actor.name ?? '',
    actor_email: actor.email ?? '',
    session: actor.session ?? '',
    token_id: actor.token?.id ?? '',
    token_name: actor.token?.name ?? '',
    target_type: target.type,
    target_id: target.id ?? '',
    target_name: target.name ?? '',
    project: target.project ?? '',
    address: source.address ?? '',
    agent: source.agent ?? '',
    changes: changes ? JSON.stringify(changes) : '',
    details: details ? JSON.stringify(details) : '',
    hash,
  });

/** An entry as it is hashed, with its hash behind it. */
export const jsonLine = (entry: Entry): string => `${JSON.stringify(entry)}\n`;

export async function* linesOf(
  format: 'jsonl' | 'csv',
  parts: AsyncIterable<readonly Entry[]>,
): AsyncGenerator<string> {
  if (format === 'csv') yield exportHead('csv', columns);
  for await (const entries of parts) yield entries.map(format === 'csv' ? csvLine : jsonLine).join('');
}
