/** The mirror of a project. */
import type { Resource } from '../shared/resource.ts';
import * as contract from './contract.ts';
import { mirrorRoutes } from './routes.ts';

export const mirrors: Resource = { contracts: [contract], routes: [mirrorRoutes] };
