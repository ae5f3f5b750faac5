/** What Culprit promises; each number is held against what its benchmark finds. */
import { atLeast, atMost, below } from './report.ts';

export const budgets = {
  /** Of the floor's rate. */
  acceptedOfFloor: atLeast(0.8),
  drainedOfFloor: atLeast(0.5),
  /** Of a plain proxy's rate. */
  tunnelOfProxy: atLeast(0.8),
  lagSeconds: below(1),
  lost: atMost(0),
  cpuMsPerEvent: atMost(1.5),
  diskBytesPerEvent: atMost(1500),
  visibleP95Ms: below(1000),
  readyMs: below(3000),
  idleMb: below(350),
  loadedMb: below(800),
  /** API answers at the size of a small and of a large installation, p95. */
  apiSmallMs: below(15),
  apiLargeMs: below(50),
  filteredMs: below(250),
  /** From an event to what a rule about it says; evaluation beside the pipeline, in percent of its processor time. */
  alertP95Ms: below(5000),
  alertShare: below(25),
  /** A trace of 10,000 spans in the browser. */
  waterfallFirstRowsMs: below(1000),
  waterfallLongFrames: atMost(0),
  waterfallRows: below(100),
} as const;
