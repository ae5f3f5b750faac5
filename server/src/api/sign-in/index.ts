/** Single sign-on: providers, and the way through them. */
import type { Resource } from '../shared/resource.ts';
import * as contract from './contract.ts';
import { flowRoutes } from './flow-routes.ts';
import { providerRoutes } from './provider-routes.ts';

export const signIn: Resource = { contracts: [contract], routes: [providerRoutes, flowRoutes] };
