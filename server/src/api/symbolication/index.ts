/** Events that came before their source maps. */
import type { Resource } from '../shared/resource.ts';
import * as contract from './contract.ts';
import { symbolicationRoutes } from './routes.ts';

export const symbolication: Resource = { contracts: [contract], routes: [symbolicationRoutes] };
