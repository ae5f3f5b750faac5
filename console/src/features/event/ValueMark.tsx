import { ScrubMark } from './ScrubMark.tsx';
import { scrubbedBelow } from './scrubbed.ts';
import type { ExceptionValue } from './types.ts';
import { useMarks } from './use-marks.ts';

/** At the words of an exception: by which rule they were changed. Nothing where they were not. */
export function ValueMark({ exception }: { readonly exception: ExceptionValue }) {
  const { found, project } = useMarks(exception);
  const ofValue = scrubbedBelow(found, ['value']);
  return ofValue.length > 0 && <ScrubMark found={ofValue} project={project} />;
}
