/** Whether two servers see the same issues in the same events. Pure. */

/** An issue as one side has it. */
export interface Issue {
  readonly id: string;
  readonly shortId: string;
  readonly title: string;
  readonly url: string;
}

/** Event by event, the issue that each side has it in. */
export interface Pair {
  readonly ours: Issue;
  readonly theirs: Issue;
}

export interface Counted extends Issue {
  /** Of the events that were compared. */
  readonly events: number;
}

export type Kind =
  /** One issue here and one there, with the same events. */
  | 'same'
  /** One here is several there. */
  | 'split'
  /** Several here are one there. */
  | 'merged'
  /** Several on both sides. */
  | 'mixed';

export interface Group {
  readonly kind: Kind;
  readonly ours: readonly Counted[];
  readonly theirs: readonly Counted[];
  readonly events: number;
}

/** Issues that share events, together; those that differ first, then the largest. */
export function groupsOf(pairs: readonly Pair[]): Group[] {
  const sides = { ours: new Map<string, Node>(), theirs: new Map<string, Node>() };
  for (const { ours, theirs } of pairs) {
    const [a, b] = [nodeOf(sides.ours, ours), nodeOf(sides.theirs, theirs)];
    for (const [one, other] of [
      [a, b],
      [b, a],
    ] as const) {
      one.events += 1;
      one.shares.add(other);
    }
  }
  const seen = new Set<Node>();
  const groups: Group[] = [];
  for (const start of sides.ours.values()) {
    if (seen.has(start)) continue;
    const all = reachedFrom(start, seen);
    const ours = countedOf(sides.ours, all);
    const theirs = countedOf(sides.theirs, all);
    const events = ours.reduce((sum, one) => sum + one.events, 0);
    groups.push({ kind: kindOf(ours.length, theirs.length), ours, theirs, events });
  }
  return groups.toSorted((a, b) => Number(a.kind === 'same') - Number(b.kind === 'same') || b.events - a.events);
}

interface Node {
  readonly issue: Issue;
  events: number;
  readonly shares: Set<Node>;
}

function nodeOf(side: Map<string, Node>, issue: Issue): Node {
  let node = side.get(issue.id);
  if (!node) side.set(issue.id, (node = { issue, events: 0, shares: new Set() }));
  return node;
}

function reachedFrom(start: Node, seen: Set<Node>): ReadonlySet<Node> {
  const reached = new Set([start]);
  for (const node of reached) {
    seen.add(node);
    for (const other of node.shares) reached.add(other);
  }
  return reached;
}

const countedOf = (side: ReadonlyMap<string, Node>, all: ReadonlySet<Node>): Counted[] =>
  [...side.values()]
    .filter((node) => all.has(node))
    .map(({ issue, events }) => ({ ...issue, events }))
    .toSorted((a, b) => b.events - a.events);

function kindOf(ours: number, theirs: number): Kind {
  if (ours === 1) return theirs === 1 ? 'same' : 'split';
  return theirs === 1 ? 'merged' : 'mixed';
}
