/** What becomes of what a rule finds. */
import { createHmac } from 'node:crypto';
import { filtered } from '../rules.ts';

export type Method =
  | { readonly kind: 'remove' }
  | { readonly kind: 'replace'; readonly text: string }
  | { readonly kind: 'mask' }
  /** Without a key of its own by that of the configuration, else of the installation. */
  | { readonly kind: 'hash'; readonly key?: string | undefined };

export const methodNames = ['remove', 'replace', 'mask', 'hash'] as const;

export const defaultReplacement = filtered;

/** As in `_meta`: x removed, s substituted, m masked, p pseudonymised. */
export const remarkKinds = { remove: 'x', replace: 's', mask: 'm', hash: 'p' } as const;

/** Hex digits; the same for the same text and key. */
const hashLength = 40;

export function pseudonym(text: string, key: string): string {
  return createHmac('sha256', key).update(text).digest('hex').slice(0, hashLength).toUpperCase();
}

/** What stands in the place of `text`. */
export function redacted(text: string, method: Method): string {
  switch (method.kind) {
    case 'remove':
      return '';
    case 'replace':
      return method.text;
    case 'mask':
      return '*'.repeat(codePoints(text));
    case 'hash':
      return pseudonym(text, method.key ?? '');
  }
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
