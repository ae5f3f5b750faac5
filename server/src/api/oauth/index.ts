/** Programs that a person lets in. */
import type { Resource } from '../shared/resource.ts';
import * as contract from './contract.ts';
import { oauthRoutes } from './routes.ts';

export const oauth: Resource = { contracts: [contract], routes: [oauthRoutes] };
