export { type WebhookEvent, webhookEvents } from './events.ts';
export { findWebhookDelivery, listWebhookDeliveries, replay, type Try, type WebhookDelivery } from './log.ts';
export {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  findWebhook,
  listWebhooks,
  rotateSecret,
  type Webhook,
  type WebhookFields,
} from './store.ts';
export { createWebhooks, type Webhooks } from './webhooks.ts';
