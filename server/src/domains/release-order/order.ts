/** Which of two releases came first, and a release's neighbours. */
import { packageOf, type ParsedVersion, parseVersion } from './version.ts';

export interface Ordered {
  readonly version: string;
  /** When it was released, else when it was made; ms since the epoch. */
  readonly orderedAt: number;
}

/** By version where both are versions of the same package, else by date. */
export const compareReleases = (a: Ordered, b: Ordered): number => compareRead(read(a), read(b));

interface Read<T extends Ordered> {
  readonly release: T;
  readonly parsed: ParsedVersion | undefined;
}

const read = <T extends Ordered>(release: T): Read<T> => ({ release, parsed: parseVersion(release.version) });

const compareRead = (a: Read<Ordered>, b: Read<Ordered>): number =>
  (a.parsed && b.parsed && ofOnePackage(a.parsed, b.parsed) ? compareVersions(a.parsed, b.parsed) : 0) ||
  byDate(a.release, b.release);

const byDate = (a: Ordered, b: Ordered): number =>
  a.orderedAt - b.orderedAt || (a.version < b.version ? -1 : a.version > b.version ? 1 : 0);

const ofOnePackage = (a: ParsedVersion, b: ParsedVersion): boolean => a.package === b.package;

export function compareVersions(a: ParsedVersion, b: ParsedVersion): number {
  for (const [index, number] of a.numbers.entries()) {
    const other = b.numbers[index] ?? 0;
    if (number !== other) return number - other;
  }
  return comparePrereleases(a.prerelease, b.prerelease) || compareBuilds(a.build, b.build);
}

/** As semver has it: no pre-release comes after every one, numbers come before words. */
function comparePrereleases(a: readonly string[], b: readonly string[]): number {
  if (!a.length || !b.length) return b.length - a.length;
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const one = a[index];
    const other = b[index];
    if (one === undefined || other === undefined) return one === undefined ? -1 : 1;
    const order = compareIdentifiers(one, other);
    if (order) return order;
  }
  return 0;
}

function compareIdentifiers(a: string, b: string): number {
  const [one, other] = [isNumber(a), isNumber(b)];
  if (one && other) return Number(a) - Number(b);
  if (one !== other) return one ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Semver leaves builds unordered; those that are counted up are in the order in which they were made. */
const compareBuilds = (a: string, b: string): number => (isNumber(a) && isNumber(b) ? Number(a) - Number(b) : 0);

const isNumber = (text: string): boolean => /^\d{1,15}$/.test(text);

/** The last of the others of its package that came before; a version goes before what is none, such as a hash. */
export const previousOf = <T extends Ordered>(release: Ordered, others: readonly T[]): T | undefined =>
  nearest(release, others, -1);

/** The first of the others of its package that came after. */
export const nextOf = <T extends Ordered>(release: Ordered, others: readonly T[]): T | undefined =>
  nearest(release, others, 1);

function nearest<T extends Ordered>(to: Ordered, others: readonly T[], side: -1 | 1): T | undefined {
  const release = read(to);
  const beyond = others
    .filter((other) => other.version !== to.version && packageOf(other.version) === packageOf(to.version))
    .map(read)
    .filter((other) => Math.sign(compareRead(other, release)) === side);
  const versions = beyond.filter(({ parsed }) => release.parsed && parsed);
  const compare = versions.length ? compareRead : (a: Read<T>, b: Read<T>) => byDate(a.release, b.release);
  const [first, ...rest] = versions.length ? versions : beyond;
  if (!first) return undefined;
  return rest.reduce((best, one) => (Math.sign(compare(best, one)) === side ? one : best), first).release;
}
