import { useQuery, useQueryClient } from '@tanstack/react-query';
import { localZone, QuietHoursFields } from '../../features/notifications/QuietHoursFields.tsx';
import {
  type NotificationSettings,
  notificationSettingsQuery,
  saveNotificationSettings,
} from '../../features/notifications/queries.ts';
import { type SettingsFields, fieldsOf, settingsOf } from '../../features/notifications/settings-fields.ts';
import { projectsQuery } from '../../features/projects/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/notifications.ts';
import { Button } from '../../ui/Button.tsx';
import { SelectField, TextField, Toggle } from '../../ui/Field.tsx';
import { FieldRow, Form } from '../../ui/Form.tsx';
import { Text } from '../../ui/Text.tsx';
import { toast } from '../../ui/toasts.ts';
import { useForm } from '../../ui/use-form.ts';

const reaches = Object.entries(m.reaches).map(([reach, words]) => (
  <option key={reach} value={reach}>
    {words}
  </option>
));

/** What someone is notified of by mail, and when. */
export function SettingsForm({
  settings,
  onDiscard,
}: {
  readonly settings: NotificationSettings;
  readonly onDiscard: () => void;
}) {
  const org = useOrg();
  const queries = useQueryClient();
  const { data: projects = [] } = useQuery(projectsQuery(org));
  const form = useForm<SettingsFields>({
    start: fieldsOf(settings, projects),
    save: async (fields) => {
      const saved = await saveNotificationSettings(org, settingsOf(fields));
      queries.setQueryData(notificationSettingsQuery(org).queryKey, saved);
      toast(m.saved);
    },
  });
  const [timeZone, quietHours] = form.watch(['timeZone', 'quietHours']);
  return (
    <Form
      form={form}
      submit={m.save}
      ready={form.isChanged}
      actions={
        form.isChanged && (
          <Button variant="ghost" onClick={onDiscard}>
            {m.discard}
          </Button>
        )
      }
    >
      <FieldRow>
        <SelectField label={m.changes} hint={m.changesHint} {...form.field('state')}>
          {reaches}
        </SelectField>
        <SelectField label={m.comments} {...form.field('comment')}>
          {reaches}
        </SelectField>
      </FieldRow>
      <Toggle label={m.assigned} {...form.field('assigned')} />
      <Toggle label={m.mentioned} {...form.field('mentioned')} />
      <Toggle label={m.report} hint={m.reportHint} {...form.field('report')} />
      <TextField
        label={m.timeZone}
        hint={timeZone === localZone() ? m.browserZone : m.otherZone({ zone: localZone() })}
        maxLength={100}
        autoComplete="off"
        {...form.field('timeZone')}
      />
      <hr />
      <QuietHoursFields
        value={quietHours}
        timeZone={timeZone === 'UTC' ? localZone() : timeZone}
        onChange={(next) => form.set('quietHours', next, { shouldDirty: true })}
      />
      {projects.length > 1 && (
        <>
          <hr />
          <Text as="p" tone="faint" small>
            {m.byProject}
          </Text>
          <FieldRow>
            {projects.map(({ id, name }) => (
              <div key={id} translate="no">
                <SelectField label={name} {...form.field(`projects.${id}`)}>
                  <option value="">{m.asAbove}</option>
                  {reaches}
                </SelectField>
              </div>
            ))}
          </FieldRow>
        </>
      )}
    </Form>
  );
}
