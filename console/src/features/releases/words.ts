/** Words for people and commits. */
import * as m from '../../messages/releases.ts';

export function authorName({ name, email }: { readonly name: string | null; readonly email: string | null }): string {
  return name || email || m.unknownAuthor;
}

/** The first line of a commit's message. */
export function subject(message: string): string {
  return message.trimStart().split('\n', 1)[0] || m.noMessage;
}

/** `e1db737`; what is no hash stays whole. */
export function shortCommit(id: string): string {
  return /^[0-9a-f]{12,64}$/i.test(id) ? id.slice(0, 7) : id;
}
