/** What projects take of the disk. */
import type { Resource } from '../shared/resource.ts';
import * as contract from './contract.ts';
import { costRoutes } from './routes.ts';

export const costs: Resource = { contracts: [contract], routes: [costRoutes] };
