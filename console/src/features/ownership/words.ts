/** Owners and rules in words. */
import type { Owner } from './queries.ts';

export const ownerWords = (owner: Owner): string =>
  owner.type === 'team' ? `#${owner.slug ?? owner.name}` : owner.name || (owner.email ?? '');

/** Where a rule stands. */
export const sourceWords = (source: 'rule' | 'codeowners', line: number): string =>
  source === 'rule' ? `line ${line}` : `CODEOWNERS, line ${line}`;
