/** Groups of a directory. */
import type { FastifyRequest } from 'fastify';
import * as provisioning from '../../domains/provisioning/index.ts';
import { isWanted, listed, listQueryOf, mentions, shown } from './pages.ts';
import { idOf, type Scim } from './shared.ts';

type ScimGroup = Awaited<ReturnType<typeof provisioning.findGroup>>;

export function groupRoutes({ route, state, organizationOf, bodyOf, changing, base }: Scim): void {
  const resourcesOf = async (
    groups: readonly ScimGroup[],
    withMembers: boolean,
    db: provisioning.Change['inside']['db'] = state.db,
  ): Promise<provisioning.JsonObject[]> => {
    const ids = withMembers ? groups.map(({ id }) => id) : [];
    const members = await provisioning.membersOfGroups(db, ids);
    return groups.map((group) => provisioning.groupResource(group, members.get(group.id) ?? [], base()));
  };

  const found = async (request: FastifyRequest, id: string): Promise<provisioning.JsonObject> => {
    const group = await provisioning.findGroup(state.db, organizationOf(request), id);
    const [resource] = await resourcesOf([group], isWanted(request, 'members'));
    return shown(request, resource ?? {});
  };

  route('GET', '/Groups', async (request) => {
    const { filter, offset, limit } = listQueryOf(request);
    const groups = await provisioning.listGroups(state.db, organizationOf(request));
    const all = filter ? await resourcesOf(groups, mentions(filter, 'members')) : [];
    const chosen = filter ? groups.filter((_, index) => provisioning.matches(all[index] ?? {}, filter)) : groups;
    const page = chosen.slice(offset, offset + limit);
    const resources = await resourcesOf(page, isWanted(request, 'members'));
    return listed(request, resources, { total: chosen.length, offset });
  });

  route('GET', '/Groups/:id', async (request) => found(request, idOf(request)));

  route('POST', '/Groups', async (request, reply) => {
    const given = provisioning.readGroup(bodyOf(request));
    const id = await changing(request, (change) => provisioning.createGroup(change, given));
    void reply.code(201).header('location', `${base()}/Groups/${id}`);
    return found(request, id);
  });

  route('PUT', '/Groups/:id', async (request) => {
    const id = idOf(request);
    const given = provisioning.readGroup(bodyOf(request));
    await changing(request, (change) => provisioning.replaceGroup(change, id, given));
    return found(request, id);
  });

  route('PATCH', '/Groups/:id', async (request) => {
    const id = idOf(request);
    const body = bodyOf(request);
    await changing(request, async (change) => {
      const group = await provisioning.findGroup(change.inside.db, change.organizationId, id);
      const [resource = {}] = await resourcesOf([group], true, change.inside.db);
      await provisioning.replaceGroup(change, id, provisioning.readGroup(provisioning.patched(resource, body)));
    });
    return found(request, id);
  });

  route('DELETE', '/Groups/:id', async (request, reply) => {
    await changing(request, (change) => provisioning.removeGroup(change, idOf(request)));
    return reply.code(204).send();
  });
}
