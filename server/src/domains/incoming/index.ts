export { createReceive } from './receive.ts';
export {
  changeIncoming,
  createIncoming,
  deleteIncoming,
  findIncoming,
  incomingAt,
  type IncomingDelivery,
  type IncomingFields,
  type IncomingWebhook,
  listIncoming,
  listIncomingDeliveries,
  noteRefusal,
  rotateIncomingSecret,
} from './store.ts';
export { type IncomingMapping, type IncomingProvider, incomingProviders } from './types.ts';
export { signatureProblem } from './verify.ts';
export { ruleProblem } from './version.ts';
