/** A resource of the API: a folder with its contract, its routes and the shapes of its answers. */
import type { Endpoint } from './endpoint.ts';
import type { Api } from './implement.ts';

export interface Resource {
  /** Modules that export its endpoints, among the schemas that others use. */
  readonly contracts: readonly object[];
  /** Each implements some of the endpoints. */
  readonly routes: readonly ((api: Api) => PromiseLike<unknown> | void)[];
}

export const endpointsOf = ({ contracts }: Resource): readonly Endpoint[] =>
  contracts.flatMap((contract) => Object.values(contract).filter(isEndpoint));

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'url' in value && 'access' in value;
