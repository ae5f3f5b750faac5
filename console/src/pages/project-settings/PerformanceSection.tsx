import { useQuery, useQueryClient } from '@tanstack/react-query';
import { detectorsQuery } from '../../features/problem/queries.ts';
import { defaultDrafts, draftsOf, hasTrouble, patchOf, type Detector } from '../../features/problem/settings-form.ts';
import type { Project } from '../../features/projects/queries.ts';
import { useMay, useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/project-settings.ts';
import { Button } from '../../ui/Button.tsx';
import { Form } from '../../ui/Form.tsx';
import { Section } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { useForm } from '../../ui/use-form.ts';
import { DetectorFields } from './DetectorFields.tsx';
import { saveProject } from './save-project.ts';

/** Which performance problems are detected in the traces of the project, and from where on they are one. */
export function PerformanceSection({ project }: { readonly project: Project }) {
  const detectors = useQuery(detectorsQuery(useOrg()));
  return (
    <Section title={m.performance} note={m.performanceNote}>
      <QueryView query={detectors} loading={m.detectorsLoading} failed={m.detectorsFailed} rows={6}>
        {(all) => <Detectors project={project} detectors={all} />}
      </QueryView>
    </Section>
  );
}

function Detectors({ project, detectors }: { readonly project: Project; readonly detectors: readonly Detector[] }) {
  const org = useOrg();
  const may = useMay('project:write');
  const queries = useQueryClient();
  const defaults = defaultDrafts(detectors);
  const form = useForm({
    start: draftsOf(detectors, project.settings.performance),
    save: async (drafts) => {
      const patch = patchOf(detectors, drafts, project.settings.performance);
      if (patch) await saveProject(queries, org, project, { settings: { performance: patch } });
    },
  });
  const drafts = form.watch();
  const isRight = !hasTrouble(detectors, drafts);
  return (
    <Form
      form={form}
      submit={m.save}
      bare
      fixed={!may}
      ready={isRight && patchOf(detectors, drafts, project.settings.performance) !== undefined}
      actions={
        <Button
          variant="ghost"
          disabled={JSON.stringify(drafts) === JSON.stringify(defaults)}
          onClick={() => {
            for (const [name, draft] of Object.entries(defaults))
              form.set(name, draft, { shouldDirty: true, shouldValidate: true });
          }}
        >
          {m.reset}
        </Button>
      }
    >
      {detectors.map((detector) => (
        <DetectorFields
          key={detector.name}
          detector={detector}
          form={form}
          defaults={defaults[detector.name]?.fields ?? {}}
        />
      ))}
    </Form>
  );
}
