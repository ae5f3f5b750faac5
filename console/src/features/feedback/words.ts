import * as m from '../../messages/feedback.ts';

/** Who wrote it, as far as it is known. */
export const whoWrote = ({
  name,
  email,
  user,
}: {
  readonly name: string | null;
  readonly email: string | null;
  readonly user: string | null;
}): string => name ?? email ?? user ?? m.anonymous;
