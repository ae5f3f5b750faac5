/** Switches of an organisation: share links, invitations by members, allowed addresses. */
import type { Resource } from '../shared/resource.ts';
import * as contract from './contract.ts';
import { securityRoutes } from './routes.ts';

export const security: Resource = { contracts: [contract], routes: [securityRoutes] };
