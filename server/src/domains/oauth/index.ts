export { registerClient } from './clients.ts';
export { isOwnResource, makeCode, readAuthorization, returnTo, useCode } from './codes.ts';
export type { AuthorizationRequest } from './codes.ts';
export { decideDevice, findDevice, pollDevice, pollEveryMs, startDevice } from './devices.ts';
export { refreshGrant, grantOf, type OnReplay, type TokenPair } from './grants.ts';
export { agentScopes } from './scopes.ts';
