/** What the server and the thread of a preview say to each other. */
import type {
  PreviewableLog,
  PreviewableSpan,
  PreviewedEvent,
  ScrubSettings,
} from '../../process/steps/scrub/index.ts';

export interface PreviewSetup {
  /** Of events, as they are stored. */
  readonly payloads: readonly string[];
  readonly spans: readonly PreviewableSpan[];
  readonly logs: readonly PreviewableLog[];
  readonly settings: ScrubSettings;
}

/** Each in the order of what was given. */
export interface FromPreview {
  readonly events: readonly PreviewedEvent[];
  readonly spans: readonly PreviewedEvent[];
  readonly logs: readonly PreviewedEvent[];
}
