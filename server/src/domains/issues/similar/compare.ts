/** How alike two hashes are, and in what they differ: a pure function of their features. */
import { type Features, type SimilarFrame, wordsOf } from './features.ts';

export interface Difference {
  readonly kind: 'frame' | 'type' | 'message';
  /** Null where only the other one has it. */
  readonly here: string | null;
  readonly there: string | null;
}

export interface Likeness {
  /** 0 to 1. */
  readonly score: number;
  readonly why: 'frames' | 'message';
  /** The frame that threw first, at most 20. */
  readonly differing: readonly Difference[];
}

/** Below this two are no near miss. */
export const leastScore = 0.55;
const maxDiffering = 20;
/** The same message at another place says less than the same place with another message. */
const messageElsewhere = 0.75;

export function compare(here: Features, there: Features): Likeness {
  const sameType = here.type === there.type ? 1 : 0;
  const words = shareOfWords(here.message, there.message);
  const steps = align(here.frames, there.frames);
  const longer = Math.max(here.frames.length, there.frames.length);
  const frames = longer === 0 ? 0 : steps.filter((step) => step.same).length / longer;
  const byFrames = longer === 0 ? 0 : 0.7 * frames + 0.2 * sameType + 0.1 * words;
  const place = longer === 0 ? 1 : messageElsewhere;
  const byMessage = wordsOf(here.message).length < 2 ? 0 : place * (0.8 * words + 0.2 * sameType);
  const differing: Difference[] = [...differingFrames(steps)];
  if (!sameType) differing.push({ kind: 'type', here: here.type || null, there: there.type || null });
  if (here.message !== there.message) {
    differing.push({ kind: 'message', here: here.message || null, there: there.message || null });
  }
  return {
    score: Math.max(byFrames, byMessage),
    why: byFrames >= byMessage ? 'frames' : 'message',
    differing: differing.slice(0, maxDiffering),
  };
}

/** 1 for the same words in the same order, else those in common by all. */
function shareOfWords(here: string, there: string): number {
  if (here === there) return here === '' ? 0 : 1;
  const [a, b] = [new Set(wordsOf(here)), new Set(wordsOf(there))];
  let common = 0;
  for (const word of a) if (b.has(word)) common++;
  return common === 0 ? 0 : Math.min(0.99, common / (a.size + b.size - common));
}

interface Step {
  readonly same: boolean;
  readonly here?: SimilarFrame | undefined;
  readonly there?: SimilarFrame | undefined;
}

/** The longest common subsequence, from the frame that threw. Both lists are bounded, and so is their product. */
function align(here: readonly SimilarFrame[], there: readonly SimilarFrame[]): Step[] {
  const [a, b] = [here.toReversed(), there.toReversed()];
  const width = b.length + 1;
  const length = new Uint16Array((a.length + 1) * width);
  const at = (i: number, j: number): number => length[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      length[i * width + j] = a[i]?.key === b[j]?.key ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const steps: Step[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length;) {
    const [one, other] = [a[i], b[j]];
    if (one && other && one.key === other.key) {
      steps.push({ same: true });
      i++;
      j++;
    } else if (one && (!other || at(i + 1, j) >= at(i, j + 1))) {
      steps.push({ same: false, here: one });
      i++;
    } else {
      steps.push({ same: false, there: other });
      j++;
    }
  }
  return steps;
}

/** Frames that stand in each other's place are one difference. */
function differingFrames(steps: readonly Step[]): Difference[] {
  const found: Difference[] = [];
  let ours: SimilarFrame[] = [];
  let theirs: SimilarFrame[] = [];
  const close = (): void => {
    for (let index = 0; index < Math.max(ours.length, theirs.length); index++) {
      found.push({ kind: 'frame', here: ours[index]?.text ?? null, there: theirs[index]?.text ?? null });
    }
    ours = [];
    theirs = [];
  };
  for (const { same, here, there } of steps) {
    if (same) close();
    if (here) ours.push(here);
    if (there) theirs.push(there);
  }
  close();
  return found;
}
