export { type AttachmentKind, imageType } from './kinds.ts';
export { type Attachment, type AttachmentContent, attachmentsOf, deleteAttachment, readAttachment } from './list.ts';
