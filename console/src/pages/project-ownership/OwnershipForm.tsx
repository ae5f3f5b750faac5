import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { RuleEditor } from '../../features/grouping/RuleEditor.tsx';
import {
  type Ownership,
  ownershipProblemsQuery,
  ownershipQuery,
  saveOwnership,
} from '../../features/ownership/queries.ts';
import { membersQuery, teamsQuery } from '../../features/people/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { UnsavedGuard } from '../../features/settings/UnsavedGuard.tsx';
import * as m from '../../messages/ownership-rules.ts';
import { Choice, ChoiceGroup } from '../../ui/Choice.tsx';
import { EditForm } from '../../ui/EditForm.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { Section } from '../../ui/Page.tsx';
import { toast } from '../../ui/toasts.ts';
import { useLagging } from '../../ui/use-lagging.ts';
import { ownershipGuide } from './guide.ts';
import { PreviewSection } from './PreviewSection.tsx';

type Mode = Ownership['autoAssignment'];

const modes: readonly { readonly mode: Mode; readonly label: string; readonly hint: string }[] = [
  { mode: 'Auto Assign to Issue Owner', label: m.modes.owner, hint: m.modes.ownerHint },
  { mode: 'Auto Assign to Suspect Commits', label: m.modes.suspect, hint: m.modes.suspectHint },
  { mode: 'Turn off Auto-Assignment', label: m.modes.off, hint: m.modes.offHint },
];

/** How long nothing is typed before the rules are checked, and before they are tested. */
const checkAfterMs = 300;
const testAfterMs = 900;

/** Rules and how new issues are assigned, checked and tested as they are written, and saved together. */
export function OwnershipForm({
  slug,
  ownership,
  mayChange,
}: {
  readonly slug: string;
  readonly ownership: Ownership;
  readonly mayChange: boolean;
}) {
  const org = useOrg();
  const queries = useQueryClient();
  const [raw, setRaw] = useState(ownership.raw);
  const [mode, setMode] = useState<Mode>(ownership.autoAssignment);
  const { data: teams } = useQuery(teamsQuery(org));
  const { data: members } = useQuery(membersQuery(org));
  const changed = raw !== ownership.raw || mode !== ownership.autoAssignment;
  const checked = useQuery(ownershipProblemsQuery(org, slug, useLagging(raw, checkAfterMs)));
  const problems = checked.data ?? [];
  const tested = useLagging(raw, testAfterMs);
  const save = useMutation({
    mutationFn: () => saveOwnership(org, slug, { raw, autoAssignment: mode }),
    onSuccess: (saved) => {
      queries.setQueryData(ownershipQuery(org, slug).queryKey, saved);
      toast(m.saved);
    },
  });
  const edit = (to: { readonly raw: string; readonly mode: Mode }): void => {
    setRaw(to.raw);
    setMode(to.mode);
  };
  const team = `#${teams?.[0]?.slug ?? 'payments'}`;
  const person = members?.find(({ pending }) => !pending)?.email ?? 'jane@example.com';
  return (
    <EditForm
      changed={changed}
      problems={problems.length}
      busy={save.isPending}
      readOnly={mayChange ? undefined : <p>{m.readOnly}</p>}
      onSave={save.mutate}
      onDiscard={() => {
        toast(m.discarded, { action: { label: m.undo, run: () => edit({ raw, mode }) } });
        edit({ raw: ownership.raw, mode: ownership.autoAssignment });
      }}
      after={<UnsavedGuard changed={changed} />}
    >
      <Section title={m.rules} note={m.rulesHint}>
        <RuleEditor
          label={m.rulesTitle}
          hint={m.editorHint}
          placeholder={`path:src/payments/* ${team}`}
          value={raw}
          problems={problems}
          guide={ownershipGuide(team, person)}
          onChange={setRaw}
        />
      </Section>
      <ChoiceGroup label={m.assign} layout="lines">
        {modes.map((each) => (
          <Choice
            key={each.mode}
            type="radio"
            name="mode"
            label={each.label}
            hint={each.hint}
            disabled={!mayChange}
            checked={mode === each.mode}
            onChange={() => setMode(each.mode)}
          />
        ))}
      </ChoiceGroup>
      <PreviewSection slug={slug} raw={tested} />
      <FormError error={save.error ?? checked.error} />
    </EditForm>
  );
}
