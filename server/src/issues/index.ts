export { recordBatch, type RecordedProject } from './record.ts';
