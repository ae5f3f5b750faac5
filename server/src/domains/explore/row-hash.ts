/** Project and hash of a row as one text, by which its issue is found. */

/** SQL. */
export const hashOfRow = `concat(toString(project_id), ':', toString(group_hash))`;

/** `12:abc…` as what it stands for. */
export function readHashOfRow(text: string): { readonly projectId: number; readonly hash: string } {
  const at = text.indexOf(':');
  return { projectId: Number(text.slice(0, at)), hash: text.slice(at + 1) };
}
