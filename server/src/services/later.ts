/** What comes to be while the program starts, and is asked for by what was there before: all of it, in one place. */
import type { RegisteredIngest } from '../ingest/index.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import type { MoveState } from './changes.ts';

export interface Later {
  /** Public address, without a trailing slash; '' before the server listens, unless it is set. */
  url: string;
  /** Of this node among the others; '' before the server listens. */
  address: string;
  ingest: RegisteredIngest | undefined;
  /** Undefined until the events store has answered for the first time, and on nodes that do not process. */
  pipeline: Pipeline | undefined;
  /** Whether the events store is known to have its tables. */
  eventsPrepared: boolean;
  /** Whether it was told to stop and still accepts, so that whoever shares out requests can leave it out. */
  isDraining: boolean;
  readonly moving: MoveState;
}
