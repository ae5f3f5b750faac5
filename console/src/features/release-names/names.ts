/** What releases are called among those that are shown together. Pure. */

export interface Named {
  readonly version: string;
  readonly shortVersion: string;
}

/** Of `web@1.2.3` and of `web@4f2c1` it is `web`; '' where the version names none. */
export const packageOf = (version: string): string => version.slice(0, Math.max(0, version.lastIndexOf('@')));

export interface ReleaseWords {
  /** With its `@`; '' where the version says enough. */
  readonly package: string;
  readonly short: string;
}

/** By the short version where that is enough, with the package where another one is called the same. */
export function releaseWords(release: Named, among: readonly (Named | null | undefined)[]): ReleaseWords {
  const { version, shortVersion: short } = release;
  const isShared = among.some((other) => other && other.version !== version && other.shortVersion === short);
  const name = packageOf(version);
  return { package: isShared && name !== '' ? `${name}@` : '', short };
}

/** The same as one text. */
export function releaseName(release: Named, among: readonly (Named | null | undefined)[]): string {
  const words = releaseWords(release, among);
  return words.package + words.short;
}
