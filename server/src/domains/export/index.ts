export { type ExportAsked, type Manifest, writeExport } from './export.ts';
export { type Compression, openDirectory, openTar, type Place } from './parts.ts';
