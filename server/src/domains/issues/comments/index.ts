export {
  addComment,
  type Comment,
  deleteComment,
  editComment,
  findComment,
  forgetDeleted,
  listComments,
  restoreComment,
} from './comments.ts';
