/** Users of a directory. */
import type { FastifyRequest } from 'fastify';
import * as provisioning from '../../domains/provisioning/index.ts';
import { isWanted, listed, listQueryOf, mentions, shown, soughtValue } from './pages.ts';
import { idOf, type Scim } from './shared.ts';

type ScimUser = Awaited<ReturnType<typeof provisioning.findUser>>;

export function userRoutes({ route, state, organizationOf, bodyOf, changing, base }: Scim): void {
  const resourcesOf = async (
    users: readonly ScimUser[],
    withGroups: boolean,
    db = state.db,
  ): Promise<provisioning.JsonObject[]> => {
    const ids = withGroups ? users.map(({ id }) => id) : [];
    const groups = await provisioning.groupsOfUsers(db, ids);
    return users.map((user) => provisioning.userResource(user, groups.get(user.id) ?? [], base()));
  };

  const found = async (request: FastifyRequest, id: string): Promise<provisioning.JsonObject> => {
    const user = await provisioning.findUser(state.db, organizationOf(request), id);
    const [resource] = await resourcesOf([user], isWanted(request, 'groups'));
    return shown(request, resource ?? {});
  };

  route('GET', '/Users', async (request) => {
    const { filter, offset, limit } = listQueryOf(request);
    const organizationId = organizationOf(request);
    const withGroups = isWanted(request, 'groups');
    const look = Object.fromEntries(
      ['userName', 'externalId', 'id'].flatMap((name) => {
        const value = soughtValue(filter, name);
        return value === undefined ? [] : [[name, value]];
      }),
    );
    if (!filter || Object.keys(look).length) {
      const page = await provisioning.listUsers(state.db, organizationId, look, { offset, limit });
      return listed(request, await resourcesOf(page.users, withGroups), { total: page.total, offset });
    }
    const { users } = await provisioning.listUsers(state.db, organizationId);
    const all = await resourcesOf(users, mentions(filter, 'groups'));
    const chosen = users.filter((_, index) => provisioning.matches(all[index] ?? {}, filter));
    const page = chosen.slice(offset, offset + limit);
    return listed(request, await resourcesOf(page, withGroups), { total: chosen.length, offset });
  });

  route('GET', '/Users/:id', async (request) => found(request, idOf(request)));

  route('POST', '/Users', async (request, reply) => {
    const given = provisioning.readUser(bodyOf(request));
    const id = await changing(request, (change) => provisioning.createUser(change, given));
    void reply.code(201).header('location', `${base()}/Users/${id}`);
    return found(request, id);
  });

  route('PUT', '/Users/:id', async (request) => {
    const id = idOf(request);
    const given = provisioning.readUser(bodyOf(request));
    await changing(request, (change) => provisioning.replaceUser(change, id, given));
    return found(request, id);
  });

  route('PATCH', '/Users/:id', async (request) => {
    const id = idOf(request);
    const body = bodyOf(request);
    await changing(request, async (change) => {
      const user = await provisioning.findUser(change.inside.db, change.organizationId, id);
      const next = provisioning.patched(provisioning.userResource(user, [], base()), body);
      await provisioning.replaceUser(change, id, provisioning.readUser(next));
    });
    return found(request, id);
  });

  route('DELETE', '/Users/:id', async (request, reply) => {
    await changing(request, (change) => provisioning.removeUser(change, idOf(request)));
    return reply.code(204).send();
  });
}
