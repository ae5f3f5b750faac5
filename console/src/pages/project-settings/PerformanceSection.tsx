import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { detectorsQuery } from '../../features/problem/queries.ts';
import {
  defaultDrafts,
  draftsOf,
  hasTrouble,
  patchOf,
  type Detector,
  type Draft,
  type Settings,
} from '../../features/problem/settings-form.ts';
import type { Project } from '../../features/projects/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { Button } from '../../ui/Button.tsx';
import styles from '../../ui/Form.module.css';
import { FormError } from '../../ui/FormError.tsx';
import { Section } from '../../ui/Page.tsx';
import { ErrorState, Skeleton } from '../../ui/State.tsx';
import { DetectorFields } from './DetectorFields.tsx';
import { useSaveProject } from './use-save-project.ts';

/** Which performance problems are looked for in the traces of the project, and from where on they are one. */
export function PerformanceSection({ project }: { readonly project: Project }) {
  const detectors = useQuery(detectorsQuery(useOrg()));
  return (
    <Section
      title="Performance problems"
      note="Looked for in each trace a few seconds after it came. A problem becomes an issue with its spans as evidence."
    >
      {detectors.isPending ? (
        <Skeleton rows={6} height={56} label="Loading detectors" />
      ) : detectors.data ? (
        <Form project={project} detectors={detectors.data} />
      ) : (
        <ErrorState
          error={detectors.error}
          retry={() => void detectors.refetch()}
          what="The detectors could not be loaded"
        />
      )}
    </Section>
  );
}

function Form({ project, detectors }: { readonly project: Project; readonly detectors: readonly Detector[] }) {
  const settings: Settings = project.settings.performance;
  const [drafts, setDrafts] = useState(() => draftsOf(detectors, settings));
  const save = useSaveProject(project, (updated) => setDrafts(draftsOf(detectors, updated.settings.performance)));
  const patch = hasTrouble(detectors, drafts) ? undefined : patchOf(detectors, drafts, settings);
  const defaults = defaultDrafts(detectors);
  return (
    <form
      noValidate
      className={styles.group}
      onSubmit={(event) => {
        event.preventDefault();
        if (patch) save.mutate({ settings: { performance: patch } });
      }}
    >
      {detectors.map((detector) => {
        const draft = drafts[detector.name];
        const own = defaults[detector.name];
        return (
          draft &&
          own && (
            <DetectorFields
              key={detector.name}
              detector={detector}
              draft={draft}
              defaults={own}
              onChange={(next: Draft) => setDrafts({ ...drafts, [detector.name]: next })}
            />
          )
        );
      })}
      <FormError error={save.error} />
      <div className={styles.row}>
        <Button type="submit" variant="primary" busy={save.isPending} disabled={!patch}>
          Save
        </Button>
        <Button
          variant="ghost"
          disabled={JSON.stringify(drafts) === JSON.stringify(defaults)}
          onClick={() => setDrafts(defaults)}
        >
          Reset all to defaults
        </Button>
      </div>
    </form>
  );
}
