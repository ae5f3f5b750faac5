/** Checks of the setup form, the same that the server makes, before it is sent. Pure. */
import * as m from '../../messages/setup.ts';

export interface SetupFields {
  readonly email: string;
  readonly password: string;
  readonly organization: string;
  readonly project: string;
}

const named = (missing: string) => (name: string) =>
  name.trim() === '' ? missing : name.trim().length <= 64 || m.nameTooLong;

/** What is wrong with a field; true where nothing is. */
export const checks: Readonly<Record<keyof SetupFields, (value: string) => string | true>> = {
  email: (email) => (email.length <= 254 && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email.trim())) || m.emailInvalid,
  password: (password) => (password.length < 8 ? m.passwordTooShort : password.length <= 128 || m.passwordTooLong),
  organization: named(m.organizationMissing),
  project: named(m.projectMissing),
};
