/** Checks of the set-up form, the same that the server makes, said before it is asked. */
export interface SetupFields {
  readonly email: string;
  readonly password: string;
  readonly organization: string;
  readonly project: string;
}

export function validateSetup(fields: SetupFields): Partial<Record<keyof SetupFields, string>> {
  const errors: Partial<Record<keyof SetupFields, string>> = {};
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(fields.email.trim()) || fields.email.length > 254)
    errors.email = 'Enter an e-mail address, such as ada@example.com.';
  if (fields.password.length < 8) errors.password = 'Use at least 8 characters.';
  else if (fields.password.length > 128) errors.password = 'Use at most 128 characters.';
  for (const key of ['organization', 'project'] as const) {
    if (fields[key].trim() === '')
      errors[key] = key === 'organization' ? 'Name your organisation or team.' : 'Name your first project.';
    else if (fields[key].trim().length > 64) errors[key] = 'Use at most 64 characters.';
  }
  return errors;
}
