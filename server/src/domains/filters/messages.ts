/** What the server and the thread of a preview say to each other. */
import type { FilterId, FilterSettings } from '../../process/steps/filters/index.ts';

export interface PreviewSetup {
  /** As they are stored. */
  readonly payloads: readonly string[];
  readonly patterns: FilterSettings['patterns'];
}

/** The filters that would drop each, in the order of the payloads. */
export type FromPreview = readonly (readonly FilterId[])[];
