/** Walls between rooms as rules of the linter, which knows imports only as they are written: relative to their file. */
import type { OxlintOverride } from 'oxlint';
import type { Room } from './house.ts';

type Pattern = { readonly message: string } & ({ readonly regex: string } | { readonly group: string[] });

/** Folders below a room; a test holds that there are no deeper ones. */
export const deepest = 5;

/**
 * For each room, what keeps it from importing rooms that come after it in the list, and from entering a domain other than
 * by its `index.ts` or one of the `doors`.
 */
export function walls(source: string, rooms: readonly Room[], doors: readonly string[] = []): OxlintOverride[] {
  const walled = rooms.map(([room], index) => {
    const depth = room.split('/').length;
    const patterns = (ups: number) => [
      ...rooms.slice(index + 1).map(([above]) => ({
        regex: `^${specifier(room, above, ups).replaceAll('.', String.raw`\.`)}(?:/|$)`,
        message: `${room} stands before ${above} in scripts/house.ts: what both need belongs further down.`,
      })),
      ...rooms.slice(0, index).flatMap(([below]) =>
        below.startsWith('domains/')
          ? {
              group: inside(below, doors, specifier(room, below, ups)),
              message: `${below} is entered by its index.ts, or by a door that scripts/house.ts names.`,
            }
          : [],
      ),
    ];
    if (room.endsWith('.ts')) return { depth, walls: [wall(`${source}/${room}`, patterns(depth - 1))] };
    const walls = Array.from({ length: deepest + 1 }, (_, below) =>
      wall(`${source}/${room}${'/*'.repeat(below)}/*.{ts,tsx}`, patterns(depth + below)),
    );
    return { depth, walls };
  });
  // What comes last holds: for a room within another, its own wall.
  return walled.toSorted((a, b) => a.depth - b.depth).flatMap((one) => one.walls);
}

function wall(files: string, patterns: Pattern[]): OxlintOverride {
  return { files: [files], rules: { 'no-restricted-imports': ['error', { patterns }] } };
}

/** What others may not import of a domain, which is written `path` there: all but its entries. */
function inside(domain: string, doors: readonly string[], path: string): string[] {
  const own = doors.flatMap((door) => (door.startsWith(`${domain}/`) ? door.slice(domain.length + 1) : []));
  return [`${path}/**`, ...['index.ts', ...own].map((entry) => `!${path}/${entry}`)];
}

/** How `other` is written in a file of `room` that lies `ups` folders below the source; of the room around it, the rest. */
function specifier(room: string, other: string, ups: number): string {
  const [from, to] = [room.split('/'), other.split('/')];
  let shared = 0;
  while (shared < from.length && from[shared] === to[shared]) shared++;
  const up = '../'.repeat(ups - shared) || './';
  return up + (to.slice(shared).join('/') || '[^./][^/]*');
}
