/** Symbolicating again what was stored before its source maps came. */
import { z } from 'zod';
import { endpoint } from '../shared/endpoint.ts';
import { dateTime, projectParams } from '../shared/schemas.ts';

export const SymbolicationProgress = z
  .object({
    running: z.boolean(),
    done: z.int().describe('Events looked at so far; of the last run when none is under way.'),
    total: z.int(),
    mapped: z.int().describe('Events that got lines of sources.'),
    since: dateTime().nullable(),
    finishedAt: dateTime().nullable(),
    detail: z.string().describe('What went wrong or was left out; empty for nothing.'),
  })
  .meta({ id: 'SymbolicationProgress' });

export const getSymbolication = endpoint({
  method: 'GET',
  url: '/projects/:org/:project/symbolication/',
  id: 'getSymbolication',
  tag: 'Source maps',
  summary: 'How far stored events are symbolicated again',
  description: 'Runs when a bundle was uploaded for which events wait, and when somebody asks.',
  access: 'event:read',
  params: projectParams,
  response: SymbolicationProgress,
});

export const symbolicateEvent = endpoint({
  method: 'POST',
  url: '/projects/:org/:project/events/:event/symbolicate/',
  id: 'symbolicateEvent',
  tag: 'Source maps',
  summary: 'Symbolicate one event again',
  access: 'event:write',
  params: projectParams.extend({ event: z.string().max(64).describe('Event id.') }),
  status: 202,
  response: z.object({ state: z.literal('queued') }),
});
