/** Which two releases are compared where the address leaves it open. Pure. */
import { packageOf } from '../release-names/names.ts';

export interface Pair {
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** The newest one after the one before it, both of one package. `versions`: newest first. */
export function chosenPair(asked: Pair, versions: readonly string[]): Pair {
  const others = (one: string): readonly string[] =>
    versions.filter((version) => version !== one && packageOf(version) === packageOf(one));
  const to =
    asked.to ??
    (asked.from === undefined
      ? (versions.find((version) => others(version).length > 0) ?? versions[0])
      : others(asked.from)[0]);
  if (to === undefined || asked.from !== undefined) return { from: asked.from, to };
  const place = versions.indexOf(to);
  return { from: others(to).find((version) => versions.indexOf(version) > place) ?? others(to)[0], to };
}

/** The pair once another version is chosen for one side. That of the other side changes places with it. */
export function chosenSide({ from, to }: Pair, side: 'from' | 'to', version: string): Pair {
  if (side === 'from') return { from: version, to: version === to ? from : to };
  return { from: version === from ? to : from, to: version };
}

/** What may be chosen: also what is in the address and not among the newest. */
export const choices = (versions: readonly string[], chosen: string | undefined): readonly string[] =>
  chosen === undefined || versions.includes(chosen) ? versions : [chosen, ...versions];
