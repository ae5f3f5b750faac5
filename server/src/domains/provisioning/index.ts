export type { Change } from './context.ts';
export {
  createGroup,
  directorySize,
  findGroup,
  groupResource,
  listGroups,
  membersOfGroups,
  removeGroup,
  replaceGroup,
} from './groups.ts';
export { type AttributePath, type Filter, parseFilter } from './protocol/filter.ts';
export { ScimError } from './protocol/error.ts';
export { type JsonObject, readObject } from './protocol/json.ts';
export { matches } from './protocol/matches.ts';
export { patched } from './protocol/patch.ts';
export { projected, wantedOf, wants } from './protocol/projection.ts';
export { readGroup, readUser } from './read.ts';
export { errorSchema, listSchema, mostResults, resourceTypes, schemas, serviceProviderConfig } from './schemas.ts';
export {
  createScimToken,
  deleteScimToken,
  type Directory,
  directoryOf,
  listScimTokens,
  type ScimToken,
} from './tokens.ts';
export { createUser, findUser, groupsOfUsers, listUsers, removeUser, replaceUser, userResource } from './users.ts';
