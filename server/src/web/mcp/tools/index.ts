import type { Tool } from '../tool.ts';
import { issueTools } from './issues.ts';
import { telemetryTools } from './telemetry.ts';

/** In the order in which agents read them. */
export const tools: readonly Tool[] = [...issueTools, ...telemetryTools].toSorted(
  (a, b) => Number(a.writes) - Number(b.writes),
);
