/** The address of a call. */

export interface Parameters {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
}

/** Fills `{name}` in the path, and appends the query: lists as repeated names, what is absent not at all. */
export function addressOf(path: string, { path: names = {}, query = {} }: Parameters = {}): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(names[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const each of Array.isArray(value) ? value : [value])
      if (each !== undefined && each !== null) search.append(name, String(each));
  return search.size > 0 ? `${filled}?${search}` : filled;
}
