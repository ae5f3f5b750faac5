/** What Culprit promises; each number is held against what its benchmark finds. Most stand in the design, section 7. */
import { atLeast, atMost, below, type Budget } from './report.ts';

export const budgets = {
  /** Of the floor's rate. */
  acceptedOfFloor: atLeast(0.8),
  drainedOfFloor: atLeast(0.5),
  spansDrainedOfFloor: atLeast(0.5),
  /** Of a plain proxy's rate. */
  tunnelOfProxy: atLeast(0.8),
  lagSeconds: below(1),
  lost: atMost(0),
  /** Processor time of an event, all processes, of the floor's. */
  cpuOfFloor: atMost(2.7),
  /** Of an event at 200 a second, of that at full load. */
  steadyOfFull: atMost(2),
  spanUs: atMost(30),
  diskBytesPerEvent: atMost(1300),
  diskBytesPerSpan: atMost(60),
  visibleP95Ms: below(500),
  /** With an empty data directory, and again. */
  readyMs: below(3000),
  readyAgainMs: below(1500),
  /** Private and dirty, all processes. */
  idleMb: atMost(180),
  loadedMb: atMost(600),
  /** A minute after the load. */
  aboveIdleMb: atMost(60),
  /** MB that an hour at a steady rate may add: flat, as far as an hour can tell. */
  soakGrowthMb: atMost(20),
  /** API answers, p95; with 50,000 events stored, with 1 million and with 10 million. */
  pageSmallMs: below(6),
  pageMiddleMs: below(30),
  pageLargeMs: below(50),
  traceSmallMs: below(15),
  traceMiddleMs: below(30),
  traceLargeMs: below(50),
  filteredSmallMs: below(40),
  filteredMiddleMs: below(100),
  filteredLargeMs: below(250),
  /** Where an id that somebody pastes leads, at any size. */
  leadsMs: below(15),
  performanceMs: below(250),
  /** From an event to what a rule about it says; evaluation beside the pipeline, in percent of its processor time. */
  alertP95Ms: atMost(5000),
  alertShare: atMost(15),
  /** Beyond capacity: answers, and how fast the lag falls afterwards, of the drained rate. */
  overloadedAckP99Ms: below(100),
  caughtUpOfDrained: atLeast(0.9),
  /** A trace of 10,000 spans in the browser. */
  waterfallFirstRowsMs: below(400),
  waterfallLongFrames: atMost(0),
  waterfallRows: below(100),
} as const satisfies Record<string, Budget>;

const middleFrom = 500_000;
const largeFrom = 5_000_000;

export function budgetAt(kind: 'page' | 'trace' | 'filtered', stored: number): Budget {
  return budgets[`${kind}${stored < middleFrom ? 'Small' : stored < largeFrom ? 'Middle' : 'Large'}Ms`];
}
