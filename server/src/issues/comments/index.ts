export {
  addComment,
  type Comment,
  deleteComment,
  editComment,
  findComment,
  forgetDeleted,
  listComments,
  restorableMs,
  restoreComment,
} from './comments.ts';
