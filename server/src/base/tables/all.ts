/** The tables of the events store: what lies beside this file. Written by scripts/lists.ts. */
import { tables as errors } from './errors.ts';
import { tables as items } from './items.ts';
import { tables as logs } from './logs.ts';
import { tables as outcomes } from './outcomes.ts';
import { tables as sessions } from './sessions.ts';
import { tables as spans } from './spans.ts';

export const tables = {
  ...errors,
  ...items,
  ...logs,
  ...outcomes,
  ...sessions,
  ...spans,
};
