/** Rules as they are applied to a value: whether its key tells, and what of its text is found. */
import type { Range } from './chunks.ts';
import { type FormName, forms, merged } from './forms.ts';
import { identityFinder } from './identity.ts';
import type { Method } from './methods.ts';
import type { Pattern } from './patterns.ts';
import type { PatternRule } from './read-rule.ts';
import type { Selector } from './selector.ts';

export interface AppliedRule {
  /** As it was written where it is applied. */
  readonly id: string;
  /** As remarks say it. */
  readonly name: string;
  readonly method: Method;
  /** Whether it takes every value, whatever its key. */
  readonly isAnything?: true;
  /** Whether a value under this key goes as a whole. */
  whole(key: string): boolean;
  /** In order, apart from each other. Of a text that has none the same empty list. */
  find(text: string): readonly Range[];
}

export interface Application {
  readonly selector: Selector;
  readonly rules: readonly AppliedRule[];
}

const nothing: readonly Range[] = [];
const never = (): boolean => false;

export const anythingRule = (id: string, name: string, method: Method): AppliedRule => ({
  id,
  name,
  method,
  isAnything: true,
  whole: () => true,
  find: () => nothing,
});

export function formRule(id: string, name: string, form: FormName, method: Method): AppliedRule {
  const { key, find } = forms[form];
  return { id, name, method, whole: key ?? never, find };
}

export function patternRule(id: string, name: string, { pattern, groups }: PatternRule, method: Method): AppliedRule {
  return { id, name, method, whole: never, find: (text) => pattern.find(text, groups) };
}

export function identityRule(id: string, name: string, countries: readonly string[], method: Method): AppliedRule {
  const find = identityFinder(countries);
  return { id, name, method, whole: never, find: (text) => merged(find(text)) };
}

/** Where the key of a value does not tell, its text may hold the key: then all of it goes. */
export function pairRule(id: string, name: string, pattern: Pattern, method: Method): AppliedRule {
  return {
    id,
    name,
    method,
    whole: (key) => pattern.has(key),
    find: (text) => (pattern.has(text) ? [{ start: 0, end: text.length }] : nothing),
  };
}

const urlPassword = /((?:[a-z\d]{1,30}:)?\/\/[\w%.-]{1,200}:)[\w%.-]{1,400}(?=@)/gi;

export const urlPasswordRule = (id: string, name: string, method: Method): AppliedRule => ({
  id,
  name,
  method,
  whole: never,
  find: (text) =>
    [...text.matchAll(urlPassword)].map(({ 0: found, 1: first = '', index }) => ({
      start: index + first.length,
      end: index + found.length,
    })),
});
