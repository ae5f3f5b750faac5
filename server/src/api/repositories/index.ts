/** Repositories, code mappings, and links from frames to source. */
import type { Resource } from '../shared/resource.ts';
import * as contract from './contract.ts';
import { repositoryRoutes } from './routes.ts';

export const repositories: Resource = { contracts: [contract], routes: [repositoryRoutes] };
