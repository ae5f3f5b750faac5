export { type Alarm, createAlarm } from './alarm.ts';
export { beatsOfLease, defaultLeaseMs, LeaseLost, withHeartbeat } from './heartbeat.ts';
export type { Claimer, Job, JobContext, JobCounts, JobStatus } from './job.ts';
export { type Loop, type LoopOptions, openLoop, type Turn, type Turns } from './loop.ts';
export { runThread, startThread } from './threads.ts';
