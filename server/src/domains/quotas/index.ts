export { changeQuotaSettings, quotaSettings, type QuotaSettings } from './settings.ts';
export { changeQuota, createQuota, deleteQuota, findQuota, listQuotas, type NewQuota, type Quota } from './store.ts';
export { endQuotaIncident } from './over.ts';
export { usedInMonth, usedOf, type QuotaUsed } from './used.ts';
export { createQuotaWatch, tellOfQuotas } from './watch.ts';
