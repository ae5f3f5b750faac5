export { openBackups } from './backups.ts';
export { openDomains } from './domains.ts';
export { listJobs } from './jobs.ts';
export type { Later } from './later.ts';
export { createPointKeeper } from './point-keeper.ts';
export { openProcessing } from './processing.ts';
export { createServer, listen, listenForGrpc } from './server.ts';
export { openStores } from './stores.ts';
