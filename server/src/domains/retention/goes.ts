/** What a rule lets go of: whole parts, the oldest first. Pure. */

/** What goes as a whole: a week, a day of files, a month of counts. */
export interface Unit {
  /** Its end: all in it is older. ms since the epoch. */
  readonly before: number;
  readonly bytes: number;
  readonly rows: number;
  /** Counts by month stay where others go by size: they are small, and what they count is gone already. */
  readonly bySize: boolean;
}

/** Of a class. */
export interface Stored {
  /** Oldest first. */
  readonly units: readonly Unit[];
}

export interface Gone {
  readonly bytes: number;
  readonly rows: number;
  /** All that is older goes; null where nothing does. */
  readonly before: number | null;
}

export interface Going extends Gone {
  /** Of what is left, above the limit: the newest part alone is larger, and that stays. */
  readonly overBytes: number;
}

const dayMs = 86_400_000;

export const bytesOf = ({ units }: Stored): number => units.reduce((sum, { bytes }) => sum + bytes, 0);
export const rowsOf = ({ units }: Stored): number => units.reduce((sum, { rows }) => sum + rows, 0);

/** By age, then by size. What is written still, a unit that is not over at `now`, never goes by size. */
export function goesBy(
  { units }: Stored,
  { days, limitBytes }: { readonly days: number; readonly limitBytes: number | null },
  now: number,
): Going {
  const isOld = ({ before }: Unit): boolean => before + days * dayMs <= now;
  const gone = units.filter(isOld);
  const left = units.filter((unit) => !isOld(unit));
  let bytes = bytesOf({ units: left });
  for (const unit of left) {
    if (limitBytes === null || bytes <= limitBytes) break;
    if (!unit.bySize || unit.before > now) continue;
    gone.push(unit);
    bytes -= unit.bytes;
  }
  return { ...sumOf(gone), overBytes: limitBytes === null ? 0 : Math.max(0, bytes - limitBytes) };
}

/** The oldest of all classes, until so many bytes are free. By class. */
export function goesForRoom<Name extends string>(
  stored: Readonly<Record<Name, Stored>>,
  limited: readonly Name[],
  bytes: number,
  now: number,
): Map<Name, Gone> {
  const all = limited.flatMap((name) =>
    stored[name].units.filter(({ bySize, before }) => bySize && before <= now).map((unit) => ({ name, unit })),
  );
  const gone: { readonly name: Name; readonly unit: Unit }[] = [];
  let freed = 0;
  for (const each of all.toSorted((a, b) => a.unit.before - b.unit.before)) {
    if (freed >= bytes) break;
    gone.push(each);
    freed += each.unit.bytes;
  }
  const byName = Map.groupBy(gone, ({ name }) => name);
  return new Map([...byName].map(([name, own]) => [name, sumOf(own.map(({ unit }) => unit))]));
}

function sumOf(units: readonly Unit[]): Gone {
  return {
    bytes: bytesOf({ units }),
    rows: rowsOf({ units }),
    before: units.length === 0 ? null : Math.max(...units.map(({ before }) => before)),
  };
}
