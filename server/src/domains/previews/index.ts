export { openPreviews, type Preview, type Previews, type PreviewTask } from './previews.ts';
