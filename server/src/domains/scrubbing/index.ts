export { loosenedBy } from './loosened.ts';
export { previewScrubbing, type ScrubbingPreview } from './preview.ts';
