/** Where notifications go, and what was delivered. */
import type { Resource } from '../shared/resource.ts';
import * as contract from './contract.ts';
import { channelRoutes } from './routes.ts';

export const channels: Resource = { contracts: [contract], routes: [channelRoutes] };
