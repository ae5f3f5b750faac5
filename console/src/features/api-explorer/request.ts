/** A request that somebody puts together. */
import type { Operation } from './document.ts';

export interface Draft {
  readonly operation: Operation;
  /** By name; empty ones are left out. */
  readonly values: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A parameter that takes a list is written with commas between. */
export const listOf = (type: string, value: string): readonly string[] =>
  type.includes('[]') ? value.split(',').map((one) => one.trim()) : [value];

/** The first that the path needs and that is not there. */
export const missingIn = ({ operation, values }: Draft): string | undefined =>
  operation.parameters.find(({ name, required }) => required && !values[name]?.trim())?.name;

/** From the root: `/api/0/…?…`. */
export function addressOf({ operation, values }: Draft): string {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    values[name]?.trim() ? encodeURIComponent(values[name].trim()) : whole,
  );
  const query = new URLSearchParams();
  for (const { name, in: place, type } of operation.parameters) {
    const value = values[name]?.trim();
    if (place === 'query' && value) for (const one of listOf(type, value)) query.append(name, one);
  }
  return query.size > 0 ? `${path}?${query}` : path;
}
