/** What comes to be while the program starts, and is asked for by what was there before: all of it, in one place. */
import type { RegisteredIngest } from '../ingest/index.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';

export interface Later {
  /** Public address, without a trailing slash; '' before the server listens, unless it is set. */
  url: string;
  ingest: RegisteredIngest | undefined;
  /** Undefined until the events store has answered for the first time. */
  pipeline: Pipeline | undefined;
}
