/** Lists that stand in the rows of many events. What is made of such a list, its text in a row above all, is made once. */

const shared = new WeakMap<readonly unknown[], Map<unknown, unknown>>();

/** Of a list that nobody changes. */
export function share(list: readonly unknown[]): void {
  shared.set(list, new Map());
}

export const isShared = (list: readonly unknown[]): boolean => shared.has(list);

/** What `make` makes of the list: remembered for lists that are shared. */
export function ofShared<List extends readonly unknown[], Made>(list: List, make: (list: List) => Made): Made {
  const known = shared.get(list);
  if (!known) return make(list);
  let made = known.get(make) as Made | undefined;
  if (made === undefined) known.set(make, (made = make(list)));
  return made;
}
