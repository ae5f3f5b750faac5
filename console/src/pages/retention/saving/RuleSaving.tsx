import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { offerUndo } from '../../../features/commands/undo.ts';
import { addRule } from '../../../features/scrubbing/add-rule.ts';
import { PreviewedChanges } from '../../../features/scrubbing/PreviewedChanges.tsx';
import {
  projectScrubbingQuery,
  saveProjectScrubbing,
  scrubbingPreviewQuery,
} from '../../../features/scrubbing/queries.ts';
import { useOrg } from '../../../features/session/organization.ts';
import * as m from '../../../messages/costs.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogBody } from '../../../ui/Dialog.tsx';
import { Form } from '../../../ui/Form.tsx';
import { FormError } from '../../../ui/FormError.tsx';
import { Text } from '../../../ui/Text.tsx';
import { useForm } from '../../../ui/use-form.ts';

interface RuleSavingProps {
  readonly project: string;
  readonly name: string;
  /** Of the attribute, in scrubbing rules. */
  readonly selector: string;
  /** What it takes, in words. */
  readonly size: string;
}

/** Stores an attribute no more, once somebody has seen what that would have removed from what is stored. */
export function RuleSaving({ project, name, selector, size }: RuleSavingProps) {
  const org = useOrg();
  const queries = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const { data } = useQuery(projectScrubbingQuery(org, project));
  const restore = useMutation({
    mutationFn: (rules: string) => saveProjectScrubbing(org, project, rules),
    onSettled: () => queries.invalidateQueries({ queryKey: projectScrubbingQuery(org, project).queryKey }),
  });
  if (!data) return null;
  const { rules } = data;
  const after = addRule(rules, { kind: 'anything', method: 'remove', where: selector, text: '', country: 'us' });
  if (after !== undefined && isSame(after, rules)) return <Text small>{m.removedByRule}</Text>;
  return (
    <>
      <Button size="small" variant="ghost" aria-label={m.removeAttribute({ name })} onClick={() => setOpen(true)}>
        {m.remove}
      </Button>
      <FormError error={restore.error} />
      {isOpen && (
        <Dialog title={m.removeAttribute({ name })} size="wide" onClose={() => setOpen(false)}>
          {after === undefined ? (
            <DialogBody>
              <Text as="p">{m.rulesUnreadable}</Text>
            </DialogBody>
          ) : (
            <Rule
              {...{ project, name, selector, size, rules: after }}
              onSaved={(saved) => {
                queries.setQueryData(projectScrubbingQuery(org, project).queryKey, saved);
                setOpen(false);
                offerUndo(m.ruleOn, () => restore.mutate(rules));
              }}
              onClose={() => setOpen(false)}
            />
          )}
        </Dialog>
      )}
    </>
  );
}

/** Rules as JSON, however they are written. */
function isSame(after: string, before: string): boolean {
  try {
    return JSON.stringify(JSON.parse(after)) === JSON.stringify(JSON.parse(before));
  } catch {
    return false;
  }
}

interface RuleProps extends RuleSavingProps {
  /** All of the project, with the one that removes it. */
  readonly rules: string;
  readonly onSaved: (saved: Awaited<ReturnType<typeof saveProjectScrubbing>>) => void;
  readonly onClose: () => void;
}

function Rule({ project, name, selector, size, rules, onSaved, onClose }: RuleProps) {
  const org = useOrg();
  const preview = useQuery(scrubbingPreviewQuery(org, project, rules));
  const form = useForm<object>({
    start: {},
    save: async () => onSaved(await saveProjectScrubbing(org, project, rules)),
  });
  return (
    <DialogBody>
      <Form
        form={form}
        submit={m.addRule}
        ready={preview.data !== undefined && preview.data.problems.length === 0}
        bare
        onCancel={onClose}
      >
        <Text as="p">{m.ruleNote({ name, size })}</Text>
        <Text as="p" small>
          {m.ruleText({ selector })}
        </Text>
        <FormError error={preview.error} />
        {preview.isPending && <Text as="p">{m.checking}</Text>}
        {preview.data && (
          <div role="status">
            <PreviewedChanges preview={preview.data} most={shown} />
          </div>
        )}
      </Form>
    </DialogBody>
  );
}

/** Events, spans and logs of each kind that are shown in full. */
const shown = 2;
