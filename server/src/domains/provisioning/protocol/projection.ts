/** What of a resource is asked for: `attributes` and `excludedAttributes`. Pure. */
import { type AttributePath, pathOf } from './filter.ts';
import { isList, isObject, type Json, type JsonObject } from './json.ts';

const always: ReadonlySet<string> = new Set(['schemas', 'id']);
const mostNames = 50;

export interface Wanted {
  readonly only: readonly AttributePath[];
  readonly not: readonly AttributePath[];
}

const namesIn = (text: string | undefined): AttributePath[] =>
  (text ?? '')
    .split(',')
    .slice(0, mostNames)
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map(pathOf);

export const wantedOf = (query: { readonly attributes?: string; readonly excludedAttributes?: string }): Wanted => ({
  only: namesIn(query.attributes),
  not: namesIn(query.excludedAttributes),
});

const isNamed = ({ name }: AttributePath, key: string): boolean => name.toLowerCase() === key.toLowerCase();

export function wants({ only, not }: Wanted, key: string): boolean {
  if (only.length) return only.some((path) => isNamed(path, key));
  return !not.some((path) => path.sub === undefined && isNamed(path, key));
}

export function projected(resource: JsonObject, wanted: Wanted): JsonObject {
  return Object.fromEntries(
    Object.entries(resource).flatMap(([key, value]) => {
      if (always.has(key)) return [[key, value]];
      if (!wants(wanted, key)) return [];
      const only = wanted.only.filter((path) => isNamed(path, key));
      const not = wanted.not.filter((path) => isNamed(path, key));
      const subs = only.some(({ sub }) => sub === undefined) ? [] : only.flatMap(({ sub }) => sub ?? []);
      const less = only.length ? [] : not.flatMap(({ sub }) => sub ?? []);
      return [[key, subs.length || less.length ? narrowed(value, subs, less) : value]];
    }),
  );
}

function narrowed(value: Json, subs: readonly string[], less: readonly string[]): Json {
  if (isList(value)) return value.map((one) => narrowed(one, subs, less));
  if (!isObject(value)) return value;
  const has = (names: readonly string[], key: string): boolean =>
    names.some((name) => name.toLowerCase() === key.toLowerCase());
  return Object.fromEntries(Object.entries(value).filter(([key]) => (subs.length ? has(subs, key) : !has(less, key))));
}
