export { embeddedV4, groupsOf } from './addresses.ts';
export { type AllowList, parseAllowList } from './allow-list.ts';
export { callOutside, type OutboundAnswer, type OutboundCall, type OutboundOptions } from './call.ts';
export { OutboundError } from './errors.ts';
export { signature, signatureForm, signedHeaders, signingSecret } from './signature.ts';
export { type Lookup, readTarget } from './target.ts';
