export { drainLog } from './drain-log.ts';
export { createMoveState } from './changes.ts';
export { openGround } from './ground.ts';
export { openIntake } from './intake.ts';
export type { Later } from './later.ts';
export { createServer, listen, listenForGrpc } from './server.ts';
export { nodeAddress, openOwnNode, watchStores } from './nodes.ts';
