/** The kinds by what speaks to them. Loaded when somebody first signs in so. */
import { github } from './github.ts';
import type { Kind } from './kinds.ts';
import { createOpenId, type OpenIdOptions } from './openid.ts';
import type { FlowStore } from './flows.ts';
import type { Protocol } from './protocol.ts';
import { createSaml, type Saml } from './saml/saml.ts';

export type Protocols = Readonly<Record<Kind, Protocol> & { readonly saml: Saml }>;

export function createProtocols(options: OpenIdOptions & FlowStore): Protocols {
  const openId = createOpenId(options);
  return { oidc: openId, gitlab: openId, google: openId, github, saml: createSaml(options) };
}
