/** What an API token or a role allows, in Sentry's names, so that tokens mean the same to its clients; and in words for people. */
import { scopes as scopeWords } from '../../base/texts/accounts.ts';

export { scopeWords };

export type Scope = keyof typeof scopeWords;

export const scopes = Object.keys(scopeWords) as [Scope, ...Scope[]];

// As Sentry's clients take for granted.
const includes: Partial<Record<Scope, readonly Scope[]>> = {
  'org:write': ['org:read'],
  'org:admin': ['org:read', 'org:write'],
  'org:audit': ['org:read'],
  'org:ci': ['org:read', 'project:releases', 'project:read'],
  'member:invite': ['member:read'],
  'member:write': ['member:read', 'member:invite'],
  'member:admin': ['member:read', 'member:invite', 'member:write'],
  'project:write': ['project:read'],
  'project:admin': ['project:read', 'project:write'],
  'event:write': ['event:read'],
  'event:admin': ['event:read', 'event:write'],
};

export const isScope = (name: string): name is Scope => Object.hasOwn(scopeWords, name);

/** The given scopes and those that they include. Names that are no scopes are left out. */
export function expandScopes(names: readonly string[]): Scope[] {
  const all = new Set(names.filter(isScope).flatMap((scope) => [scope, ...(includes[scope] ?? [])]));
  return scopes.filter((scope) => all.has(scope));
}
