export { type DroppedByFilter, droppedByFilters } from './dropped.ts';
export { type FilterExample, type FilterPreview, previewFilters } from './preview.ts';
