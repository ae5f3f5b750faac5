/** Symbolicating again what was stored before its source maps came. */
import { z } from 'zod';
import { endpoint } from '../shared/endpoint.ts';
import { dateTime, projectParams } from '../shared/schemas.ts';

export const SymbolicationProgress = z
  .object({
    running: z.boolean(),
    done: z.int().describe('Number of events read; of the last run if none is running.'),
    total: z.int(),
    mapped: z.int().describe('Events that got source lines.'),
    since: dateTime().nullable(),
    finishedAt: dateTime().nullable(),
    detail: z.string().describe('What failed or was left out; empty if nothing.'),
  })
  .meta({ id: 'SymbolicationProgress' });

export const getSymbolication = endpoint({
  method: 'GET',
  url: '/projects/:org/:project/symbolication/',
  id: 'getSymbolication',
  tag: 'Source maps',
  summary: 'Get the progress of symbolicating stored events again',
  description: 'Runs after uploads for waiting events, and on request.',
  access: 'event:read',
  params: projectParams,
  response: SymbolicationProgress,
});

export const symbolicateEvent = endpoint({
  method: 'POST',
  url: '/projects/:org/:project/events/:event/symbolicate/',
  id: 'symbolicateEvent',
  tag: 'Source maps',
  summary: 'Symbolicate an event again',
  access: 'event:write',
  params: projectParams.extend({ event: z.string().max(64).describe('Event ID.') }),
  status: 202,
  response: z.object({ state: z.literal('queued') }),
});
