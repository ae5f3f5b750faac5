/** How a directory provisions an organisation: its address, its tokens. */
import type { Resource } from '../shared/resource.ts';
import * as contract from './contract.ts';
import { provisioningRoutes } from './routes.ts';

export const provisioning: Resource = { contracts: [contract], routes: [provisioningRoutes] };
