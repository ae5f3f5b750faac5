/** From a pasted text to the cause. */
import type { Resource } from '../shared/resource.ts';
import * as contract from './contract.ts';
import { findRoutes } from './routes.ts';

export const find: Resource = { contracts: [contract], routes: [findRoutes] };
