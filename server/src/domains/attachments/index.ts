export { type AttachmentKind, imageType } from '../../process/items/kept/kinds.ts';
export { type Attachment, type AttachmentContent, attachmentsOf, deleteAttachment, readAttachment } from './list.ts';
