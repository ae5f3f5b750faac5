/** Several queries as one, where planning each by itself would cost more than running it. */

export interface UnionPart {
  readonly sql: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Of queries with columns of the same names: each row has the index of its query as `part`. Parameters are renamed; lists that are the same object are sent once. */
export function unionOf(parts: readonly UnionPart[]): UnionPart {
  const params: Record<string, unknown> = {};
  const lists = new Map<unknown, string>();
  const texts = parts.map(({ sql, params: own }, index) => {
    // Values stand in parameters alone, so that every brace with a name is one of these.
    const renamed = sql.replaceAll(/\{(\w+):/g, (_all, name: string) => {
      const value = own[name];
      const known = Array.isArray(value) ? lists.get(value) : undefined;
      const sent = known ?? `u${index}_${name}`;
      params[sent] = value;
      if (Array.isArray(value)) lists.set(value, sent);
      return `{${sent}:`;
    });
    return `SELECT toUInt32(${index}) AS part, * FROM (${renamed})`;
  });
  return { sql: texts.join(' UNION ALL '), params };
}

/** The same with parameters of other names. */
export function withPrefix({ sql, params }: UnionPart, prefix: string): UnionPart {
  return {
    sql: sql.replaceAll(/\{(\w+):/g, (_all, name: string) => `{${prefix}${name}:`),
    params: Object.fromEntries(Object.entries(params).map(([name, value]) => [prefix + name, value])),
  };
}
