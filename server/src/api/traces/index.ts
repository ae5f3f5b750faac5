/** Traces: lists, one of them, the spans around an event. */
import type { Resource } from '../shared/resource.ts';
import * as contract from './contract.ts';
import * as excerpt from './excerpt-contract.ts';
import * as list from './list-contract.ts';
import { traceRoutes } from './routes.ts';
import { traceListRoutes } from './list-routes.ts';

export const traces: Resource = { contracts: [contract, excerpt, list], routes: [traceRoutes, traceListRoutes] };
