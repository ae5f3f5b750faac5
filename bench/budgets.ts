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
  /** Processor time of an event, all processes, of the floor's. */
  cpuOfFloor: atMost(2.7),
  diskBytesPerEvent: atMost(1300),
  visibleP95Ms: below(500),
  /** With an empty data directory, and again. */
  readyMs: below(3000),
  readyAgainMs: below(1500),
  /** Private and dirty, all processes. */
  idleMb: atMost(180),
  loadedMb: atMost(600),
  /** A minute after the load. */
  aboveIdleMb: atMost(60),
  /** API answers at the size of a small and of a large installation, p95. */
  apiSmallMs: below(15),
  apiLargeMs: below(50),
  filteredMs: below(250),
  /** From an event to what a rule about it says; evaluation beside the pipeline, in percent of its processor time. */
  alertP95Ms: below(5000),
  alertShare: atMost(15),
  /** A trace of 10,000 spans in the browser. */
  waterfallFirstRowsMs: below(1000),
  waterfallLongFrames: atMost(0),
  waterfallRows: below(100),
} as const;
