/** The only way a value from outside gets into SQL: as a parameter. */

const wellFormed = (value: unknown): unknown => (typeof value === 'string' ? value.toWellFormed() : value);

/** The placeholder that stands for the value. */
export type Bind = (type: string, value: unknown) => string;

export interface Binder {
  readonly bind: Bind;
  readonly params: Record<string, unknown>;
}

/** Parameters are called by the prefix and a number. Two binders in one query need two prefixes. */
export function createBinder(prefix = 'search'): Binder {
  const params: Record<string, unknown> = {};
  let count = 0;
  const bind: Bind = (type, value) => {
    const name = `${prefix}${count}`;
    count += 1;
    // The client's own text form of a string ends at a lone surrogate.
    params[name] = Array.isArray(value) ? value.map(wellFormed) : wellFormed(value);
    return `{${name}:${type}}`;
  };
  return { bind, params };
}
