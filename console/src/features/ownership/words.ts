/** Owners and rules in words. */
import * as m from '../../messages/ownership-rules.ts';
import type { Owner } from './queries.ts';

export const ownerWords = (owner: Owner): string =>
  owner.type === 'team' ? `#${owner.slug ?? owner.name}` : owner.name || (owner.email ?? '');

/** Where a rule is written. */
export const sourceWords = (source: 'rule' | 'codeowners', line: number): string =>
  (source === 'rule' ? m.line : m.codeownersLine)({ line: String(line) });
