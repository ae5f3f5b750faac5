import type { IssueDetail } from '../../features/issues/queries.ts';
import type { Action } from '../../features/triage/actions.ts';
import { useTriage } from '../../features/triage/use-triage.ts';
import * as m from '../../messages/event-limit.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogBody } from '../../ui/Dialog.tsx';
import { SelectField, TextField } from '../../ui/Field.tsx';
import { FieldRow, Form } from '../../ui/Form.tsx';
import { Text } from '../../ui/Text.tsx';
import { useForm } from '../../ui/use-form.ts';

type EventLimit = NonNullable<IssueDetail['eventLimit']>;

interface Props {
  readonly issue: IssueDetail;
  readonly onClose: () => void;
}

const most = 100_000;
const periods = ['minute', 'hour'] as const;
const suggested: EventLimit = { events: 100, per: 'hour' };

/** Undefined for what is no limit. */
function eventsOf(text: string): number | undefined {
  const events = /^\d{1,6}$/.test(text.trim()) ? Number(text) : 0;
  return events >= 1 && events <= most ? events : undefined;
}

const limit = (eventLimit: EventLimit | null): Action => ({
  change: { eventLimit },
  // The head of the page does not show it.
  patch: {},
  done: (issue) => (eventLimit ? m.done[eventLimit.per]({ count: eventLimit.events, issue }) : m.doneNone({ issue })),
});

/** How many events of an issue are stored in a minute or an hour. */
export function EventLimitDialog({ issue, onClose }: Props) {
  const { act } = useTriage();
  const before = issue.eventLimit;
  const { events, per } = before ?? suggested;
  const change = (to: EventLimit | null): void => {
    onClose();
    act([issue], limit(to));
  };
  const form = useForm<{ events: string; per: EventLimit['per'] }>({
    start: { events: String(events), per },
    save: async (fields) => change({ events: eventsOf(fields.events) ?? events, per: fields.per }),
  });
  return (
    <Dialog title={m.title({ issue: issue.shortId })} onClose={onClose}>
      <DialogBody>
        <Form
          form={form}
          submit={m.set}
          bare
          onCancel={onClose}
          actions={
            before && (
              <Button variant="ghost" onClick={() => change(null)}>
                {m.remove}
              </Button>
            )
          }
        >
          <FieldRow>
            <TextField
              label={m.atMost}
              inputMode="numeric"
              autoComplete="off"
              maxLength={6}
              {...form.field('events', { validate: (text) => eventsOf(text) !== undefined || m.invalid({ most }) })}
            />
            <SelectField label={m.per} {...form.field('per')}>
              {periods.map((each) => (
                <option key={each} value={each}>
                  {m.periods[each]}
                </option>
              ))}
            </SelectField>
          </FieldRow>
          <Text as="p" small>
            {m.hint} {m.late[form.watch('per')]}
          </Text>
        </Form>
      </DialogBody>
    </Dialog>
  );
}
