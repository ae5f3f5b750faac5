/** A request that somebody puts together. */
import type { Operation } from './document.ts';

export interface Draft {
  readonly operation: Operation;
  /** By name; empty ones are left out. */
  readonly values: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A parameter that takes a list is written with commas between. */
export const isList = (type: string): boolean => type.includes('[]');

export const listOf = (value: string): string[] =>
  value
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');

/** A browser takes them for the way up, encoded or not: the request would go elsewhere. */
const isNoName = (value: string): boolean => value === '.' || value === '..';

/** The first parameter that is needed and is not there. */
export const missingIn = ({ operation, values }: Draft): string | undefined =>
  operation.parameters.find(({ name, in: place, required }) => {
    const value = values[name]?.trim() ?? '';
    return (required && value === '') || (place === 'path' && isNoName(value));
  })?.name;

/** From the root: `/api/0/…?…`. */
export function addressOf({ operation, values }: Draft): string {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    values[name]?.trim() ? encodeURIComponent(values[name].trim()) : whole,
  );
  const query = new URLSearchParams();
  for (const { name, in: place, type } of operation.parameters) {
    const value = values[name]?.trim();
    if (place === 'query' && value) for (const one of isList(type) ? listOf(value) : [value]) query.append(name, one);
  }
  return query.size > 0 ? `${path}?${query}` : path;
}
