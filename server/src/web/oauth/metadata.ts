/** Where programs find out how to ask for access (RFC 8414, RFC 9728). */
import { agentScopes } from '../../domains/oauth/index.ts';
import { scopes } from '../../domains/accounts/index.ts';

export const paths = {
  server: '/.well-known/oauth-authorization-server',
  resource: '/.well-known/oauth-protected-resource',
  /** A page of the console. */
  authorize: '/oauth/authorize',
  /** A page of the console. */
  device: '/oauth/device',
  token: '/oauth/token/',
  register: '/oauth/register/',
  revoke: '/oauth/revoke/',
  deviceCode: '/oauth/device/code/',
} as const;

export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

export const serverMetadata = (url: string) => ({
  issuer: url,
  authorization_endpoint: url + paths.authorize,
  token_endpoint: url + paths.token,
  registration_endpoint: url + paths.register,
  revocation_endpoint: url + paths.revoke,
  device_authorization_endpoint: url + paths.deviceCode,
  scopes_supported: scopes,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token', deviceGrant],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
});

/** `path`: of what is protected; the API as a whole unless given. */
export const resourceMetadata = (url: string, path = '') => ({
  resource: url + path,
  authorization_servers: [url],
  scopes_supported: agentScopes,
  bearer_methods_supported: ['header'],
  resource_name: 'Culprit',
});

/** For an answer that refuses a client of `/mcp`. */
export const challenge = (url: string): string =>
  `Bearer resource_metadata="${url}${paths.resource}/mcp", scope="${agentScopes.join(' ')}"`;
