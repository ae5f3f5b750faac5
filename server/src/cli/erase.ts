import { setTimeout as delay } from 'node:timers/promises';
import { CodedError } from '../base/errors.ts';
import type { TextBox } from '../base/secrets/index.ts';
import { general } from '../base/texts/cli.ts';
import { eraseCommand as texts } from '../base/texts/erase.ts';
import { things } from '../base/texts/things.ts';
import type { Action } from '../domains/audit/index.ts';
import {
  addErasure,
  checkConfirmed,
  type Erasure,
  findErasure,
  identifierKinds,
  listErasures,
  moveErasure,
  readAsked,
} from '../domains/erase/index.ts';
import { listProjects } from '../domains/projects/index.ts';
import type { State } from '../ports/state/state.ts';
import { readRunning } from '../running.ts';
import { boxHere, byCommand, openAudit } from './audited.ts';
import { type Command, type Invocation, UsageError } from './command.ts';
import { createProgressLine } from './progress-line.ts';
import { findOrganization, openInstallation } from './stores.ts';

const actions = ['list', 'find', 'run', 'status', 'cancel', 'certificate'] as const;
type What = (typeof actions)[number];
const isAction = (word: string): word is What => (actions as readonly string[]).includes(word);
const underWay: ReadonlySet<Erasure['state']> = new Set(['finding', 'exporting', 'removing']);
const pollMs = 300;

export const eraseCommand: Command = {
  name: 'erase',
  summary: texts.summary,
  usage: 'list | find --reference TEXT [--email EMAIL …] | (run | status | cancel | certificate) REQUEST [--json]',
  options: {
    id: { type: 'string', placeholder: 'ID', help: texts.id },
    email: { type: 'string', placeholder: 'EMAIL', help: texts.email },
    name: { type: 'string', placeholder: 'NAME', help: texts.name },
    ip: { type: 'string', placeholder: 'ADDRESS', help: texts.ip },
    event: { type: 'string', placeholder: 'EVENT', help: texts.event },
    project: { type: 'string', placeholder: 'SLUG', help: texts.project },
    'no-mentions': { type: 'boolean', help: texts.noMentions },
    reference: { type: 'string', placeholder: 'TEXT', help: texts.reference },
    confirm: { type: 'string', placeholder: 'VALUE', help: texts.confirm },
    org: { type: 'string', placeholder: 'SLUG', help: general.organization },
  },
  words: 2,
  examples: [
    'culprit erase find --email ada@shop.example --id 81447 --reference "ticket 7"',
    'culprit erase run 3 --confirm ada@shop.example',
    'culprit erase certificate 3 --json > erasure-3.json',
  ],
  async run(invocation) {
    const [action = 'list', word] = invocation.words;
    if (!isAction(action)) throw new UsageError(general.actions(actions));
    const isAlone = action === 'list' || action === 'find';
    if (isAlone && word !== undefined) throw new UsageError(general.surplus(word));
    if (!isAlone && !/^\d{1,15}$/.test(word ?? '')) throw new UsageError(texts.requestNeeded(action));
    await using state = await openInstallation(invocation.config);
    const { id: organizationId } = await findOrganization(state, invocation.text('org'));
    if (action === 'list') {
      const all = await listErasures(state, organizationId);
      invocation.print(all.map(shown), all.length === 0 ? [texts.none] : all.map(lineOf));
      return 0;
    }
    const there = { state, organizationId };
    if (action === 'find') return await ended(invocation, there, await search(invocation, there));
    const request = await one(there, Number(word));
    if (action === 'certificate') return certificate(invocation, request);
    if (action === 'run') return await ended(invocation, there, await erase(invocation, there, request));
    if (action === 'cancel') {
      await move(invocation, there, request, { to: 'cancelled', action: 'erasure.cancel' });
      print(invocation, await one(there, request.id));
      return 0;
    }
    print(invocation, request);
    return request.state === 'failed' ? 1 : 0;
  },
};

interface There {
  readonly state: State;
  readonly organizationId: string;
}

async function one({ state, organizationId }: There, id: number): Promise<Erasure> {
  const found = await findErasure(state, organizationId, id);
  if (!found) throw new CodedError('NOT_FOUND', [things.erasure(String(id))]);
  return found;
}

async function search(
  { config, text, flag, required }: Invocation,
  { state, organizationId }: There,
): Promise<Erasure> {
  const reference = required('reference').trim();
  if (reference === '' || reference.length > 200) throw new UsageError(texts.badReference);
  const project = text('project');
  const event = text('event');
  if (event !== undefined && project === undefined) throw new UsageError(texts.projectNeeded);
  const person = identifierKinds.flatMap((kind) => {
    const value = text(kind);
    return value === undefined ? [] : [{ kind, value }];
  });
  const asked = {
    person,
    ...(event !== undefined && project !== undefined ? { event: { project, id: event } } : {}),
    ...(event === undefined && project !== undefined && { project: [project] }),
    mentions: !flag('no-mentions'),
  };
  const about = readAsked(asked, await listProjects(state, organizationId));
  const box = await boxHere(config, state);
  const audit = await openAudit(config, state);
  return audit.recorded(
    { ...byCommand('erase find'), organizationId, action: 'erasure.search' },
    async (inside, note) => {
      const owner = { organizationId, userId: null };
      const added = await addErasure(inside, box, owner, { about, reference }, Date.now());
      note(told(added), { details: { kinds: about.event ? ['event'] : about.person.map(({ kind }) => kind) } });
      return added;
    },
  );
}

async function erase(invocation: Invocation, there: There, request: Erasure): Promise<Erasure> {
  const typed = invocation.required('confirm');
  const box: TextBox = await boxHere(invocation.config, there.state);
  await checkConfirmed(there.state, box, request, typed);
  await move(invocation, there, request, { to: 'removing', action: 'erasure.confirm' });
  return one(there, request.id);
}

async function move(
  { config }: Invocation,
  { state, organizationId }: There,
  request: Erasure,
  { to, action }: { readonly to: 'removing' | 'cancelled'; readonly action: Action },
): Promise<void> {
  const audit = await openAudit(config, state);
  const from = to === 'removing' ? (['found'] as const) : (['finding', 'found', 'exporting'] as const);
  await audit.recorded({ ...byCommand('erase'), organizationId, action }, async (inside, note) => {
    if (!(await moveErasure(inside, request, from, to, Date.now())))
      throw new CodedError('ERASURE_STATE', [request.state]);
    note(told(request));
  });
}

const told = ({ id, reference }: Erasure) => ({ id, name: reference });

/** A server does the work: it is waited for where one runs here, or may run elsewhere. */
async function ended(invocation: Invocation, there: There, { id }: Erasure): Promise<number> {
  const { config } = invocation;
  const isServed = config.stateUrl !== '' || (await readRunning(config.dataDir)) !== undefined;
  using line = createProgressLine(() => '');
  for (;;) {
    const request = await one(there, id);
    if (!underWay.has(request.state) || !isServed) {
      line.end();
      print(invocation, request, isServed ? [] : [texts.noServer]);
      return request.state === 'failed' ? 1 : 0;
    }
    line.write(request.progress?.step ?? texts.waiting);
    await delay(pollMs);
  }
}

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

const shown = ({ id, reference, state, progress, found, detail, createdAt, confirmedAt, finishedAt }: Erasure) => ({
  id,
  reference,
  status: state,
  step: progress?.step ?? '',
  found: found?.kinds ?? null,
  detail,
  created: iso(createdAt),
  confirmed: iso(confirmedAt),
  finished: iso(finishedAt),
});

const lineOf = ({ id, state, reference, createdAt }: Erasure): string =>
  `${String(id).padStart(5)}  ${state.padEnd(10)} ${iso(createdAt) ?? ''}  ${reference}`;

function print(invocation: Invocation, request: Erasure, more: readonly string[] = []): void {
  const { id, state, found, detail } = request;
  const kinds = Object.entries(found?.kinds ?? {});
  invocation.print(shown(request), [
    lineOf(request),
    ...(detail === '' ? [] : [`       ${detail}`]),
    ...kinds.map(([kind, { own, mentioned }]) => `       ${texts.counted(kind, own, mentioned)}`),
    ...(state === 'found' ? [kinds.length === 0 ? texts.nothing : texts.next(id)] : []),
    ...(state === 'done' ? [texts.done(id)] : []),
    ...more,
  ]);
}

function certificate({ print: write }: Invocation, request: Erasure): number {
  const { certificate: made, id, state } = request;
  if (!made) throw new CodedError('NOT_FOUND', [things.certificate(String(id), state)]);
  write(made, [
    texts.certificate(id, iso(made.finishedAt) ?? ''),
    ...Object.entries(made.removed).map(([kind, count]) => texts.removed(kind, count)),
    ...made.left.deliveries.map(({ channel, count }) => texts.leftBy(channel, count)),
    ...made.left.mirrors.map(({ project }) => texts.leftMirror(project)),
    ...made.remains,
    texts.foundAfter(made.foundAfter),
  ]);
  return 0;
}
