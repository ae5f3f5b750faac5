export { type JobReport, readStored, type StoredJob } from './reports.ts';
export { createRunner, type Runner } from './runner.ts';
