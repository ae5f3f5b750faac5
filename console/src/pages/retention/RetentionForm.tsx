import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  type Retention,
  retentionPreviewQuery,
  type RetentionPreview,
  retentionQuery,
  type RetentionUpdate,
  saveRetention,
} from '../../features/retention/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/retention.ts';
import { fieldLabelClass, TextField } from '../../ui/Field.tsx';
import { FieldRow, Form } from '../../ui/Form.tsx';
import { Stack } from '../../ui/Layout.tsx';
import { byteSize } from '../../ui/numbers.ts';
import { Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';
import { toast } from '../../ui/toasts.ts';
import { useForm } from '../../ui/use-form.ts';
import { DeleteAsk, useDeleteAsk } from './delete-ask.tsx';
import { bytesIn, daysIn, type Fields, fieldsOf, updateOf } from './fields.ts';
import { deletesText, storedText } from './words.ts';

/** Age and size of each class, with what a change would delete before it is saved, which is asked about. */
export function RetentionForm({ retention }: { readonly retention: Retention }) {
  const org = useOrg();
  const queries = useQueryClient();
  const { ask, answer } = useDeleteAsk();
  const form = useForm<Fields>({
    start: fieldsOf(retention),
    save: async (fields) => {
      const update = updateOf(fields);
      if (!update) return false;
      const { classes, measuredAt } = await queries.fetchQuery(retentionPreviewQuery(org, update));
      if ((measuredAt === null || classes.some(isGoing)) && !(await ask())) return false;
      await saveRetention(org, update);
      await queries.invalidateQueries({ queryKey: retentionQuery(org).queryKey });
      toast(m.saved);
      return true;
    },
  });
  const [days, sizes] = form.watch(['days', 'sizes']);
  const update = updateOf({ days, sizes });
  return (
    <>
      <Form form={form} submit={m.save} ready={form.isChanged}>
        {retention.classes.map((one) => (
          <fieldset key={one.name}>
            <legend className={fieldLabelClass}>{m.classes[one.name]}</legend>
            <Stack gap={4}>
              <Text small>{storedText(one)}</Text>
              <FieldRow>
                <TextField
                  label={m.days}
                  inputMode="numeric"
                  autoComplete="off"
                  maxLength={5}
                  placeholder={String(retention.defaultDays)}
                  {...form.field(`days.${one.name}`, {
                    validate: (text) => daysIn(text) !== undefined || m.daysInvalid,
                  })}
                />
                <TextField
                  label={m.gigabytes}
                  inputMode="decimal"
                  autoComplete="off"
                  maxLength={12}
                  placeholder={m.noLimit}
                  {...form.field(`sizes.${one.name}`, {
                    validate: (text) => bytesIn(text) !== undefined || m.gigabytesInvalid,
                  })}
                />
              </FieldRow>
            </Stack>
          </fieldset>
        ))}
        {form.isChanged && update && <Preview update={update} />}
      </Form>
      {answer && update && (
        <DeleteAsk answer={answer}>
          <Preview update={update} />
        </DeleteAsk>
      )}
    </>
  );
}

/** What of it is whole weeks says from when; rows that go by themselves are counted. */
const isGoing = ({ before, freedRows }: RetentionPreview['classes'][number]): boolean =>
  before !== null || freedRows > 0;

function Preview({ update }: { readonly update: RetentionUpdate }) {
  const { data } = useQuery(retentionPreviewQuery(useOrg(), update));
  if (!data) return <Text>{m.previewing}</Text>;
  if (data.measuredAt === null) return <Text>{m.mayDelete}</Text>;
  const going = data.classes.filter(isGoing);
  const over = data.classes.filter(({ overBytes }) => overBytes > 0);
  return (
    <div role="status">
      <Stack gap={8}>
        {going.length === 0 && <Text>{m.deletesNothing}</Text>}
        {going.map((one) => (
          <Text key={one.name} as="p" tone="warning">
            {one.before ? (
              <>
                {m.deletes({ name: m.classes[one.name], size: byteSize(one.freedBytes) })} <Time at={one.before} />
              </>
            ) : (
              deletesText(one)
            )}
          </Text>
        ))}
        {over.map(({ name, overBytes }) => (
          <Text key={name} as="p">
            {m.stillOver({ name: m.classes[name], size: byteSize(overBytes) })}
          </Text>
        ))}
      </Stack>
    </div>
  );
}
