/** How kinds of records are read from the state store. */
import type { State } from '../../ports/state/state.ts';

export interface Scope {
  readonly organizationId: string;
  readonly organization: string;
  /** Slugs by id. */
  readonly projects: ReadonlyMap<number, string>;
  /** Whether only some projects of the organisation were asked for. */
  readonly isPart: boolean;
}

export type Row = Readonly<Record<string, unknown>>;
export type Read = (state: State, scope: Scope) => AsyncIterable<readonly Row[]>;

const pageSize = 500;
const nobodys = -1;

/** Reads by ascending id, a page at a time. */
export async function* byId<T extends { readonly id: number }>(
  read: (afterId: number, limit: number) => Promise<readonly T[]>,
): AsyncGenerator<readonly T[]> {
  for (let afterId = 0; ;) {
    const page = await read(afterId, pageSize);
    const last = page.at(-1);
    if (!last) return;
    yield page;
    afterId = last.id;
  }
}

/** One page of what is never much. */
export async function* once(rows: Promise<readonly Row[]>): AsyncGenerator<readonly Row[]> {
  yield await rows;
}

export const isSet = (value: number): boolean => value === 1;
/** Never empty: not every database reads an empty list. */
export const idsOf = ({ projects }: Scope): number[] => (projects.size ? [...projects.keys()] : [nobodys]);

export function groupedBy<T, K>(rows: readonly T[], key: (row: T) => K): (key: K) => readonly T[] {
  const groups = Map.groupBy(rows, key);
  return (of) => groups.get(of) ?? [];
}
