/** Fields that several forms about second factors have. */
import type { ComponentProps } from 'react';
import * as m from '../../messages/factors.ts';
import { TextField } from '../../ui/Field.tsx';

type Field = Omit<ComponentProps<typeof TextField>, 'label' | 'hint'>;

/** Of an authenticator app; with `any` a recovery code will do. */
export function CodeField({ any = false, ...field }: { readonly any?: boolean } & Field) {
  return (
    <TextField
      label={any ? m.anyCode : m.code}
      hint={any ? undefined : m.codeHint}
      mono
      autoComplete="one-time-code"
      inputMode={any ? 'text' : 'numeric'}
      spellCheck={false}
      maxLength={64}
      {...field}
    />
  );
}

export function PasswordField(field: Field) {
  return (
    <TextField label={m.currentPassword} type="password" autoComplete="current-password" maxLength={128} {...field} />
  );
}
