/** Which two releases are compared where the address leaves it open. Pure. */
export interface Pair {
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** The newest one after the one before it. `versions`: newest first. */
export function chosenPair(given: Pair, versions: readonly string[]): Pair {
  const to = given.to ?? versions.find((version) => version !== given.from);
  const place = to === undefined ? -1 : versions.indexOf(to);
  const older = versions.slice(place + 1).find((version) => version !== to);
  const from = given.from ?? older ?? versions.find((version) => version !== to);
  return { from, to };
}

/** The pair once another version is chosen for one side. That of the other side changes places with it. */
export function chosenSide({ from, to }: Pair, side: 'from' | 'to', version: string): Pair {
  if (side === 'from') return { from: version, to: version === to ? from : to };
  return { from: version === from ? to : from, to: version };
}

/** What may be chosen: also what is in the address and not among the newest. */
export const choices = (versions: readonly string[], chosen: string | undefined): readonly string[] =>
  chosen === undefined || versions.includes(chosen) ? versions : [chosen, ...versions];
