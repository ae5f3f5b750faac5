export { type Admitted, admit, type Asserted } from './admit.ts';
export { findVerified, isVouched, type LookUpTexts, recordOf, verifyDomains } from './domains.ts';
export { beginFlow, endFlow, type Flow, flowLastsMs, ownPath } from './flows.ts';
export { mapped } from './mapping.ts';
export { mappingOf, type OrganizationMapping, ownsAddress } from './of-organization.ts';
export { defaultRoles } from './input.ts';
export { type Kind, kindFacts, kinds, type Settings } from './kinds.ts';
export type { Domain, MappingRow, Moment, Provider } from './provider.ts';
export {
  changeProvider,
  countPeople,
  createProvider,
  deleteProvider,
  findProvider,
  listProviders,
  type NewProvider,
  type ProviderChange,
  providerForDomain,
  shownProviders,
  type ShownProvider,
} from './providers.ts';
export { createSignIns, type Finished, type SignIns } from './sign-in.ts';
export type { Probe } from './protocol.ts';
export { type Refusal, SignInRefused } from './refused.ts';
export { findMetadata, maxFormBytes, maxMetadataBytes, type Received, samlMetadata, samlSide } from './saml/index.ts';
