export { horizonDays } from './forecast.ts';
export { createGiveBack } from './give-back.ts';
export { storeNames, usedBytes } from './report.ts';
export { createDiskUsage, type DiskStatus, type DiskUsage } from './usage.ts';
