/** Published queries and what they mean, as far as the grammar goes so far. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { findKey } from './keys.ts';
import { parseSearch } from './parse.ts';
import type { SearchTerm } from './types.ts';

const directory = new URL('../../../../shared/conformance/search/', import.meta.url);

interface Case {
  readonly id: string;
  readonly query: string;
  readonly config?: unknown;
  readonly expected: { readonly error?: string; readonly terms?: readonly Readonly<Record<string, unknown>>[] };
}

/** Left out: functions, OR and groups, semantic versions, and keys of transactions and frames, which issues have none of. */
const later =
  /\(.*\):|\bOR\b|"(bool|group)"|release\.version|stack\.|transaction\.duration|measurements|timestamp\.to_hour|project_id|project\.id|"kind":"(duration|size|percentage)/;

function comparable(term: SearchTerm): Record<string, unknown> {
  if (term.kind === 'text') return { free: term.text };
  if (term.kind === 'has') return { key: 'has', value: term.name, not: term.negated };
  const { value } = term;
  const plain =
    value.type === 'list' || value.type === 'numbers' ? value.values : value.type === 'text' ? value.text : value.type;
  return { key: term.name, value: plain, not: term.negated };
}

function wanted(term: Readonly<Record<string, unknown>>): Record<string, unknown> {
  if ('free' in term) return { free: term['free'] };
  const key = String(term['key']);
  const { type } = findKey(key);
  const kind = String(term['kind']);
  const value = kind.startsWith('date_relative')
    ? 'age'
    : kind.startsWith('date')
      ? 'date'
      : kind === 'number' || kind === 'boolean'
        ? kind
        : term['value'];
  return {
    key,
    value: type === 'text' && kind === 'number' ? String(term['value']) : value,
    not: term['not'] === true,
  };
}

const present = existsSync(directory);
if (!present) console.warn('the published search queries are not there; left out: their comparison with our parser');

function published(): Case[] {
  if (!present) return [];
  return ['fixtures.json', 'generated.json'].flatMap(
    (file) => (JSON.parse(readFileSync(new URL(file, directory), 'utf8')) as { cases: Case[] }).cases,
  );
}

describe.skipIf(!present)('published queries', () => {
  const now = published().filter((one) => !one.config && !later.test(one.query + JSON.stringify(one.expected)));

  test('enough of them apply', () => expect(now.length).toBeGreaterThan(80));

  test.each(now)('$id $query', ({ query, expected }) => {
    const { terms, problems } = parseSearch(query);
    if (expected.error) {
      expect(problems.map((problem) => problem.code)).toContain(expected.error);
    } else {
      expect(problems).toEqual([]);
      expect(terms.map(comparable)).toEqual(expected.terms?.map(wanted));
    }
  });
});
