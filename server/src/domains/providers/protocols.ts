/** The kinds by what speaks to them. Loaded when somebody first signs in so. */
import { github } from './github.ts';
import type { Kind } from './kinds.ts';
import { createOpenId, type OpenIdOptions } from './openid.ts';
import type { Protocol } from './protocol.ts';

export function createProtocols(options: OpenIdOptions): Readonly<Record<Kind, Protocol>> {
  const openId = createOpenId(options);
  return { oidc: openId, gitlab: openId, google: openId, github };
}
