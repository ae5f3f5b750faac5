export { embeddedV4, groupsOf, isPublicAddress } from './addresses.ts';
export { type AllowList, parseAllowList } from './allow-list.ts';
export { callOutside, type OutboundCall, type OutboundOptions } from './call.ts';
export { OutboundError } from './errors.ts';
export type { OutboundAnswer } from './exchange.ts';
export { type Kept, type KeptCall, keepConnections } from './kept.ts';
export { signature, signatureForm, signedHeaders, signingSecret } from './signature.ts';
export { type Lookup, lookupSystem, readTarget, resolveTarget } from './target.ts';
