import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { holdAccount } from '../../features/account/preferences.ts';
import { type Account, updateAccount } from '../../features/account/queries.ts';
import { themes, type Theme } from '../../ui/theme.ts';
import { localZone } from '../../features/notifications/QuietHoursFields.tsx';
import * as menu from '../../messages/account.ts';
import * as m from '../../messages/my-account.ts';
import { SelectField, TextField } from '../../ui/Field.tsx';
import { FieldRow, Form } from '../../ui/Form.tsx';
import { Section } from '../../ui/Page.tsx';
import { localDay } from '../../ui/relative-time.ts';
import { toast } from '../../ui/toasts.ts';
import { useForm } from '../../ui/use-form.ts';

interface Fields {
  readonly name: string;
  /** '' for that of the browser, as for the theme. */
  readonly timeZone: string;
  readonly theme: Theme | '';
}

/** Those that the browser knows, and the one that is chosen, which another browser may have known. */
const zonesWith = (chosen: string | null): string[] =>
  [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), ...(chosen ? [chosen] : [])])].toSorted();

/** Name, time zone, theme. */
export function ProfileSection({ account }: { readonly account: Account }) {
  const queries = useQueryClient();
  const router = useRouter();
  const { timeZone, theme } = account.preferences;
  const form = useForm<Fields>({
    start: { name: account.name, timeZone: timeZone ?? '', theme: theme ?? '' },
    save: async (fields) => {
      const saved = await updateAccount({
        name: fields.name.trim(),
        timeZone: fields.timeZone || null,
        theme: fields.theme || null,
      });
      holdAccount(queries, saved);
      await router.invalidate();
      toast(m.saved);
    },
  });
  return (
    <Section title={m.profile} note={m.profileNote({ day: localDay(Date.parse(account.dateCreated)) })}>
      <Form form={form} submit={m.save} ready={form.isChanged}>
        <TextField
          label={m.name}
          autoComplete="name"
          maxLength={100}
          {...form.field('name', { validate: (name) => name.trim() !== '' || m.nameMissing })}
        />
        <FieldRow>
          <SelectField label={m.timeZone} hint={m.timeZoneHint} {...form.field('timeZone')}>
            <option value="">{m.browserZone({ zone: localZone() })}</option>
            {zonesWith(timeZone).map((zone) => (
              <option key={zone} value={zone} translate="no">
                {zone}
              </option>
            ))}
          </SelectField>
          <SelectField label={m.theme} {...form.field('theme')}>
            <option value="">{m.browserTheme}</option>
            {themes.map((each) => (
              <option key={each} value={each}>
                {menu.themes[each]}
              </option>
            ))}
          </SelectField>
        </FieldRow>
      </Form>
    </Section>
  );
}
