/** How the source map of an uploaded file is, and how to fix it. */
import * as m from '../../messages/source-maps.ts';
import type { Artifact } from '../releases/part-queries.ts';

export interface ArtifactState {
  readonly kind: 'ok' | 'bad' | 'plain';
  readonly word: string;
  /** What is wrong and what to do; empty where nothing is. */
  readonly mend: string;
}

export function artifactState(
  artifact: Pick<Artifact, 'mapped' | 'problem' | 'scriptSize' | 'mapSize' | 'framesResolved'>,
): ArtifactState {
  if (artifact.mapped)
    return artifact.framesResolved > 0
      ? { kind: 'ok', word: m.inUse, mend: '' }
      : { kind: 'plain', word: m.ready, mend: '' };
  if (artifact.problem) return { kind: 'bad', word: m.unusable, mend: artifact.problem };
  return { kind: 'bad', word: m.noMap, mend: m.noMapMend };
}

/** `7 of 7 files have a usable source map` */
export const mapsText: (maps: { readonly scripts: number; readonly mapped: number }) => string = m.usable;
