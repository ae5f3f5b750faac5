/** Entries of the audit log in words. */
import * as m from '../../messages/audit.ts';
import type { AuditEntry } from './queries.ts';

export type Action = AuditEntry['action'];
type Sentence = string | ((values: { readonly target: string }) => string);

const sentences: Readonly<Record<Action, Sentence>> = m.actions;

/** What it was done to, for people. */
export function targetOf({ action, target, details }: AuditEntry): string {
  if (target.name) return target.name;
  if (action === 'sign_in.fail') return m.unknownAccount;
  if (target.type === 'issue') return m.issueCount({ count: Number(details?.['issues'] ?? 1) });
  return target.id ?? '';
}

/** "Created the team Payments". */
export function sentenceOf(entry: AuditEntry): string {
  // A newer server may know more actions than this console.
  const sentence: Sentence | undefined = sentences[entry.action];
  if (sentence === undefined) return `${entry.action} ${targetOf(entry)}`;
  return typeof sentence === 'string' ? sentence : sentence({ target: targetOf(entry) });
}

export function actorName({ type, name, email }: AuditEntry['actor']): string {
  if (type === 'host' && name) return m.host({ user: name });
  return name ?? email ?? m.actors[type];
}

/** For `translate`: whether what it is called is a name, and no word of ours. */
export const isNamed = ({ type, name, email }: AuditEntry['actor']): 'no' | undefined =>
  type !== 'host' && (name ?? email) !== undefined ? 'no' : undefined;

/** What the filter for the same actor is. */
export const actorKey = ({ type, id }: AuditEntry['actor']): string => (id === undefined ? type : `user:${id}`);

export function targetKey({ target: { type, id } }: AuditEntry): string {
  return id === undefined ? type : `${type}:${id}`;
}

const nouns: Readonly<Record<string, string>> = m.nouns;

/** Nouns of the actions, with what they are called, by name. */
export function nounsOf(actions: readonly Action[]): readonly (readonly [noun: string, label: string])[] {
  const all = new Set(actions.map((action) => action.split('.', 1)[0] ?? action));
  return [...all].map((noun) => [noun, nouns[noun] ?? noun] as const).toSorted((a, b) => a[1].localeCompare(b[1]));
}

export const verbsOf = (actions: readonly Action[], noun: string): readonly Action[] =>
  actions.filter((action) => action.startsWith(`${noun}.`));

type Value = NonNullable<NonNullable<AuditEntry['changes']>[number]['before']> | null;

export const valueText = (value: Value): string =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0)
    ? m.none
    : Array.isArray(value)
      ? value.map(String).join(', ')
      : String(value);

/** For choices: the same for any target. */
export function sentenceWithoutTarget(action: Action): string {
  const sentence = sentences[action];
  return typeof sentence === 'string' ? sentence : sentence({ target: '…' });
}
