export type { Certificate, Found } from './certificate.ts';
export { createEraser, type Eraser } from './eraser.ts';
export { personFileKey } from './files.ts';
export { readAsked } from './asked.ts';
export { checkConfirmed } from './confirmed.ts';
export { identifierKinds, maxIdentifiers } from './person.ts';
export { createHolds, deleteOldOfOthers, type Holds } from './held-retention.ts';
export { eraseAgain } from './restored.ts';
export { addErasure, type Erasure, findErasure, listErasures, moveErasure } from './requests.ts';
