/** Every endpoint of the API. */
import { resources } from './all.ts';
import type { Endpoint } from './shared/endpoint.ts';
import { endpointsOf } from './shared/resource.ts';

export const endpoints: readonly Endpoint[] = resources.flatMap(endpointsOf);
