import { ProcessingNotes } from './ProcessingNotes.tsx';
import { Report } from './Report.tsx';

/** What few events have to say beside their stack. */
export function AfterStack({
  report,
  errors,
}: {
  readonly report: Readonly<Record<string, unknown>> | undefined;
  readonly errors: readonly Record<string, unknown>[];
}) {
  return (
    <>
      {report && <Report report={report} />}
      {errors.length > 0 && <ProcessingNotes errors={errors} />}
    </>
  );
}
