/** Comments on issues. */
import type { Resource } from '../shared/resource.ts';
import * as contract from './contract.ts';
import * as notes from './notes-contract.ts';
import { commentRoutes } from './routes.ts';

export const comments: Resource = { contracts: [contract, notes], routes: [commentRoutes] };
