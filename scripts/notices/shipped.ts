/** Which packages of others a release has: those that the server needs, and those that are bundled into the console. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Shipped {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression. */
  readonly license: string;
  /** Its licence and notice files; none where it is for another platform than this one. */
  readonly texts: readonly string[];
  /** SRI hash of the archive in the registry; undefined for what is known by its bundle only. */
  readonly integrity: string | undefined;
  /** Names with versions of those that it needs. */
  readonly needs: readonly string[];
}

interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly resolved?: string;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** Those that say it in a file alone, or not by the name that all use. */
const licenses: Readonly<Record<string, string>> = { 'uap-core': 'Apache-2.0', 'xml-escape': 'MIT' };

export const refOf = ({ name, version }: Pick<Shipped, 'name' | 'version'>): string => `${name}@${version}`;

const nameOf = (path: string): string => path.split('node_modules/').at(-1) ?? path;

/** As Node finds it: in the nearest `node_modules` on the way up. */
function find(packages: Readonly<Record<string, Locked>>, from: string, name: string): string | undefined {
  const parts = from.split('/');
  for (let length = parts.length; length >= 0; length--) {
    const path = [...parts.slice(0, length), 'node_modules', name].join('/');
    const locked = packages[path];
    if (locked?.link) return locked.resolved;
    if (locked) return path;
  }
  return undefined;
}

function namesOf({ dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta }: Locked): string[] {
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional);
  return [...new Set([...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers])];
}

function textsOf(dir: string): string[] {
  return readdirSync(dir)
    .filter((name) => /^(licen[cs]e|copying|notice)/i.test(name) && !/\.(js|ts|json)$/.test(name))
    .toSorted()
    .map((name) => readFileSync(join(dir, name), 'utf8').replaceAll('\r\n', '\n').trim())
    .filter((text) => text !== '');
}

/** What the packages at these paths of the lock file need, and what those need; without packages of the repository. */
export function neededBy(root: string, entries: readonly string[]): Shipped[] {
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(lock) as { packages: Record<string, Locked> };
  const paths = new Set(entries);
  const found: Shipped[] = [];
  for (const path of paths) {
    const locked = packages[path] ?? {};
    const needs = namesOf(locked).flatMap((name) => find(packages, path, name) ?? []);
    for (const need of needs) paths.add(need);
    if (!path.includes('node_modules/')) continue;
    const name = nameOf(path);
    const isForOnePlatform = locked.os !== undefined || locked.cpu !== undefined;
    found.push({
      name,
      version: locked.version ?? '',
      license: licenses[name] ?? locked.license ?? '',
      texts: isForOnePlatform ? [] : textsOf(join(root, path)),
      integrity: locked.integrity,
      needs: needs.map((need) => refOf({ name: nameOf(need), version: packages[need]?.version ?? '' })),
    });
  }
  return found;
}

interface Bundled {
  readonly name: string;
  readonly version: string;
  readonly identifier: string;
  readonly text?: string;
}

/** What the build of the console says that it took. */
export function bundledIn(file: string): Shipped[] {
  const bundled = JSON.parse(readFileSync(file, 'utf8')) as Bundled[];
  return bundled
    .filter(({ name }) => !name.startsWith('@culprit/'))
    .map(({ name, version, identifier, text }) => ({
      name,
      version,
      license: identifier,
      texts: text ? [text.replaceAll('\r\n', '\n').trim()] : [],
      integrity: undefined,
      needs: [],
    }));
}

/** Each once, by name and version; what the lock file tells wins. */
export function merged(...lists: readonly (readonly Shipped[])[]): Shipped[] {
  const all = new Map<string, Shipped>();
  for (const one of lists.flat()) if (!all.has(refOf(one))) all.set(refOf(one), one);
  return [...all.values()].toSorted((a, b) => (refOf(a) < refOf(b) ? -1 : 1));
}
