/** Who wrote it, as far as anybody knows. */
export const whoWrote = ({
  name,
  email,
  user,
}: {
  readonly name: string | null;
  readonly email: string | null;
  readonly user: string | null;
}): string => name ?? email ?? user ?? 'Somebody';
