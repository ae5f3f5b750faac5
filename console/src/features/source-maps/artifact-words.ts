/** How the source map of an uploaded file is doing, in words that mend it. */
import { plural, pluralForm } from '../../ui/numbers.ts';
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
      ? { kind: 'ok', word: 'in use', mend: '' }
      : { kind: 'plain', word: 'ready, not needed yet', mend: '' };
  if (artifact.problem) return { kind: 'bad', word: 'unusable', mend: artifact.problem };
  return {
    kind: 'bad',
    word: 'no source map',
    mend: 'Let the bundler write source maps, and upload the map together with the file.',
  };
}

/** `7 of 7 files have a usable source map` */
export function mapsText({ scripts, mapped }: { readonly scripts: number; readonly mapped: number }): string {
  return `${mapped} of ${plural(scripts, 'file')} ${pluralForm(scripts, 'has', 'have')} a usable source map`;
}
