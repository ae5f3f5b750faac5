/** What a client asks first: what this interface can. */
import { scim as texts } from '../../base/texts/provisioning.ts';
import * as provisioning from '../../domains/provisioning/index.ts';
import { idOf, type Scim } from './shared.ts';

export function discoveryRoutes({ route, base }: Scim): void {
  const listed = (resources: readonly provisioning.JsonObject[]): provisioning.JsonObject => ({
    schemas: [provisioning.listSchema],
    totalResults: resources.length,
    startIndex: 1,
    itemsPerPage: resources.length,
    Resources: resources,
  });
  route('GET', '/ServiceProviderConfig', async () => provisioning.serviceProviderConfig(base()));
  for (const [path, all] of [
    ['/ResourceTypes', provisioning.resourceTypes],
    ['/Schemas', provisioning.schemas],
  ] as const) {
    route('GET', path, async () => listed(all(base())));
    route('GET', `${path}/:id`, async (request) => {
      const wanted = idOf(request);
      const found = all(base()).find(({ id }) => id === wanted);
      if (!found) throw new provisioning.ScimError(404, texts.notFound(wanted.slice(0, 100)));
      return found;
    });
  }
  for (const path of ['/Bulk', '/Me', '/.search', '/Users/.search', '/Groups/.search']) {
    for (const method of ['GET', 'POST'] as const) {
      route(method, path, async () => {
        throw new provisioning.ScimError(501, texts.unsupported);
      });
    }
  }
}
