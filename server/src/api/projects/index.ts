/** Projects, their settings and keys. */
import type { Resource } from '../shared/resource.ts';
import * as contract from './contract.ts';
import { projectRoutes } from './routes.ts';

export const projects: Resource = { contracts: [contract], routes: [projectRoutes] };
