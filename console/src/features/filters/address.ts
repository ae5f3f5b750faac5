/**
 * Reads the search parameters of an address: a reader per name. What a reader does not know is as if it were absent, so that
 * an old or mistyped link still opens its page.
 */

/** Undefined: makes no sense. */
export type Reader<T> = (value: string) => T | undefined;

type Readers = Readonly<Record<string, Reader<unknown>>>;

export type SearchOf<R extends Readers> = { [K in keyof R]?: ReturnType<R[K]> };

/** For `validateSearch` of a route. Parameters without a reader are left out. */
export function searchOf<R extends Readers>(readers: R): { parse: (search: Record<string, unknown>) => SearchOf<R> } {
  const parse = (search: Record<string, unknown>): SearchOf<R> => {
    const known: Record<string, unknown> = {};
    for (const [name, read] of Object.entries(readers)) {
      const value = search[name];
      const meaning = typeof value === 'string' ? read(value) : undefined;
      if (meaning !== undefined) known[name] = meaning;
    }
    return known as SearchOf<R>;
  };
  return { parse };
}

export const text: Reader<string> = (value) => value;

/** Seconds since the epoch. */
export const seconds: Reader<number> = (value) => (/^\d{1,12}(?:\.\d{1,6})?$/.test(value) ? Number(value) : undefined);

/** A duration in ms. */
export const milliseconds: Reader<number> = (value) => {
  const ms = Number(value);
  return value !== '' && Number.isFinite(ms) && ms >= 0 && ms <= 1e12 ? ms : undefined;
};

export function oneOf<const T extends string>(...values: readonly T[]): Reader<T> {
  return (value) => values.find((each) => each === value);
}
