/** What the server and the thread of a preview say to each other. */
import type { PreviewedEvent, ScrubSettings } from '../../process/steps/scrub/index.ts';

export interface PreviewSetup {
  /** As they are stored. */
  readonly payloads: readonly string[];
  readonly settings: ScrubSettings;
}

/** In the order of the payloads. */
export type FromPreview = readonly PreviewedEvent[];
