/** Works on requests, one after the other. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CodedError } from '../../base/errors.ts';
import { ignoreMissing } from '../../base/files.ts';
import { soughtText } from '../../base/sought-text.ts';
import { createAlarm, type Job, type JobContext, LeaseLost, withHeartbeat } from '../../base/jobs/index.ts';
import type { Live } from '../../base/live.ts';
import type { TextBox } from '../../base/secrets/index.ts';
import type { Failures } from '../../base/self/index.ts';
import { erase as texts } from '../../base/texts/erase.ts';
import { jobs as jobTexts } from '../../base/texts/jobs.ts';
import type { EventLog } from '../../ports/queue/log.ts';
import { overwriteState } from '../../ports/state/overwrite.ts';
import { userPseudonym } from '../../process/steps/scrub/index.ts';
import { maxAgeMs, type Mirrors } from '../mirror/index.ts';
import { heldAmong, listProjects, pseudonymKeyOf } from '../projects/index.ts';
import { type Certificate, remainsOf, valuesOf, whatLeft } from './certificate.ts';
import { personFileKey } from './files.ts';
import { hashKeyOf } from './keys.ts';
import { overwritePayloads, overwriteRows } from './overwrite.ts';
import { type About, checkIdentifier } from './person.ts';
import { personLines } from './person-file.ts';
import { erasedSince, notePerson } from './restored.ts';
import {
  type Claimed,
  countErasures,
  endFinding,
  endRemoving,
  type Erasure,
  expireErasures,
  failErasure,
  holdErasure,
  nextErasureAt,
  noteProgress,
  openAbout,
  putOff,
  takeErasure,
} from './requests.ts';
import { openSearch } from './rows.ts';
import {
  countOf,
  find,
  look,
  type Looked,
  mostMatched,
  remove,
  type RemoveOptions,
  soughtFor,
  type Stores,
} from './run.ts';
import { countAudit } from './state-texts.ts';
import { isInRequest } from './waiting.ts';

export interface Eraser {
  readonly jobs: readonly Job[];
  /** Seals whom requests are about. */
  readonly box: TextBox;
  /** There may be something to do. */
  wake(): void;
}

interface EraserOptions extends Stores {
  readonly log: Pick<EventLog, 'end' | 'isDoneBefore'>;
  readonly mirrors: Pick<Mirrors, 'dropWaiting'>;
  readonly live: Pick<Live, 'publish'>;
  readonly failures: Failures;
  readonly box: TextBox;
  /** Hex; '' where there is none. */
  readonly pseudonymKey: string;
  readonly dataDir: string;
}

const everyMs = 5_000;
const retryMs = 10_000;
const logPollMs = 250;
/** What came about late, of an insert that was given up, is found by another round. */
const mostRounds = 4;

/** With what stands for the person where users are pseudonyms; an address becomes the id of who has none. */
const withPseudonyms = (about: About, key: string): About => ({
  ...about,
  person: about.person.flatMap((one) => {
    const { kind, value } = one;
    const other = userPseudonym(value, key);
    if (kind === 'ip') return [one, { kind: 'id', value: other }];
    return [one, { kind, value: kind === 'email' ? other.toLowerCase() : other }];
  }),
});

export function createEraser(options: EraserOptions): Eraser {
  const { state, blobs, failures } = options;
  const alarm = createAlarm();

  /** Erasures after which this node has looked through what waits here to be forwarded, with those of other nodes. */
  const looked = new Set<number>();
  async function dropWaiting(): Promise<void> {
    for (const { id, organizationId, about } of await erasedSince(state, options.box, Date.now() - maxAgeMs)) {
      if (looked.has(id)) continue;
      const all = (await listProjects(state, organizationId)).map((project) => project.id);
      await options.mirrors.dropWaiting(projectsOf(about, all), isInRequest(about));
      looked.add(id);
    }
  }

  async function runOne(erasure: Erasure, { node, leaseMs, signal }: JobContext): Promise<void> {
    const claimed = { id: erasure.id, node };
    const beat = { keep: () => holdErasure(state, erasure, { node, leaseMs }), leaseMs, signal };
    try {
      await withHeartbeat(beat, (held) => workOn(options, erasure, claimed, held));
    } catch (error) {
      if (error instanceof LeaseLost || signal.aborted) {
        if (signal.aborted) await putOff(state, claimed, '', Date.now());
        return;
      }
      if (error instanceof CodedError && error.code === 'ERASURE_REFUSED') {
        await failErasure(state, claimed, error.message);
        return;
      }
      const detail =
        error instanceof CodedError
          ? error.message
          : texts.failed(failures.note(error, { message: 'an erasure failed; will retry' }).digest);
      await putOff(state, claimed, detail, Date.now() + retryMs);
    }
  }

  return {
    box: options.box,
    jobs: [
      {
        name: 'erasures',
        title: jobTexts.erasures.title,
        nodes: 'each',
        everyMs,
        needsEvents: true,
        alarm,
        failed: jobTexts.erasures.failed,
        async run(context) {
          for (const { id, organizationId } of await expireErasures(state, Date.now()))
            await blobs.delete(personFileKey({ organizationId, id }));
          await dropWaiting();
          while (!context.signal.aborted) {
            const erasure = await takeErasure(state, context, texts.interrupted);
            if (!erasure) break;
            await runOne(erasure, context);
          }
          return nextErasureAt(state);
        },
        count: () => countErasures(state),
      },
    ],
    wake: () => alarm.ring(),
  };
}

const projectsOf = ({ event, projectIds }: About, all: readonly number[]): number[] =>
  all.filter((id) => (event ? id === event.projectId : (projectIds?.includes(id) ?? true)));

async function workOn(options: EraserOptions, erasure: Erasure, claimed: Claimed, signal: AbortSignal): Promise<void> {
  const { state, events, blobs, box } = options;
  const asked = openAbout(box, erasure);
  if (!asked) throw new CodedError('ERASURE_REFUSED', [texts.keyLost]);
  const { organizationId } = erasure;
  const key = options.pseudonymKey === '' ? '' : pseudonymKeyOf(options.pseudonymKey, organizationId);
  const about = key === '' ? asked : withPseudonyms(asked, key);
  const all = await listProjects(state, organizationId);
  const projects = all.filter(({ id }) => asked.projectIds?.includes(id) ?? true);
  const projectIds = projects.map(({ id }) => id);
  const search = await openSearch(events, { about, projectIds, key: hashKeyOf(asked.key) });
  let noted = 0;
  const note = async (step: keyof typeof texts.steps, done = 0): Promise<void> => {
    noted = Date.now();
    await noteProgress(state, claimed, { step: texts.steps[step], done });
  };
  const onProgress = (done: number): void => {
    if (Date.now() - noted > 1_000) void note('finding', done).catch(() => undefined);
  };
  const run = { about, search, signal, organizationId, projectIds, onProgress };
  if (erasure.state === 'removing') {
    await note('waiting');
    await waitForLog(options.log, signal);
    const certificate = await erase(
      options,
      erasure,
      asked,
      { ...run, projects: projects.map(({ slug }) => slug) },
      note,
    );
    await state.transaction(async (trx) => {
      await notePerson(trx, box, erasure, asked, certificate.finishedAt);
      await endRemoving(trx, claimed, certificate, certificate.finishedAt);
    });
    // The request itself has said whom it is about, sealed; nothing is left of that either.
    await overwriteState(state, options.dataDir, signal, ['erasure', 'deletion']).catch(() => undefined);
    options.live.publish({ type: 'missed' });
    return;
  }
  await note('waiting');
  await waitForLog(options.log, signal);
  if (erasure.state === 'exporting') {
    await note('exporting');
    const fileBytes = await blobs.putStream(personFileKey(erasure), personLines(options, run));
    await endFinding(state, claimed, { fileBytes }, Date.now());
    return;
  }
  await note('finding');
  await endFinding(state, claimed, { found: await find(options, run) }, Date.now());
}

/** Of what arrived before, everything is stored. */
async function waitForLog(log: EraserOptions['log'], signal: AbortSignal): Promise<void> {
  const end = await log.end();
  while (!(await log.isDoneBefore(end))) await delay(logPollMs, undefined, { signal });
}

async function erase(
  options: EraserOptions,
  erasure: Erasure,
  asked: About,
  run: Omit<RemoveOptions, 'alias' | 'onStep'> & { readonly projects: readonly string[] },
  note: (step: keyof typeof texts.steps, done?: number) => Promise<void>,
): Promise<Certificate> {
  const { state, events, blobs } = options;
  const { about, signal } = run;
  const held = await heldAmong(state, run.projectIds);
  const [first] = held;
  if (first) throw new CodedError('ERASURE_REFUSED', [texts.held(first.slug, first.reason)]);
  let looked: Looked | undefined;
  if (erasure.found && !hasBegun(erasure)) {
    await note('comparing');
    looked = await look(options, run);
    refuseOther(asked, { now: countOf(looked.found), shown: countOf(erasure.found) });
  }
  const sought = soughtFor(about);
  const left = await whatLeft(state, run, asked.event ? [soughtText(asked.event.eventId, 'word')] : sought);
  const audit = await countAudit(state, run, sought);
  await blobs.delete(personFileKey(erasure));
  const removed: Record<string, number> = {};
  const forwards = await options.mirrors.dropWaiting(projectsOf(asked, run.projectIds), isInRequest(asked));
  if (forwards > 0) removed['forwards'] = forwards;
  let foundAfter = 0;
  for (let round = 0; round < mostRounds; round++) {
    const alias = `${texts.erasedUser}:${erasure.id}`;
    const onStep = (step: keyof typeof texts.steps): void => void note(step).catch(() => undefined);
    const gone = await remove(options, { ...run, alias, onStep, places: round === 0 ? looked?.places : undefined });
    for (const [kind, count] of Object.entries(gone)) removed[kind] = (removed[kind] ?? 0) + count;
    await note('checking');
    foundAfter = countOf(await find(options, run));
    if (foundAfter === 0) break;
  }
  await note('rewriting');
  const areGone = await overwriteRows(events, signal);
  await overwritePayloads(events, signal);
  const unwritten = await overwriteState(state, options.dataDir, signal);
  return {
    id: erasure.id,
    reference: erasure.reference,
    requestedAt: erasure.createdAt,
    confirmedAt: erasure.confirmedAt ?? erasure.createdAt,
    finishedAt: Date.now(),
    salt: erasure.salt,
    values: valuesOf(asked, erasure.salt),
    projects: run.projects,
    mentions: asked.mentions,
    found: erasure.found ?? { kinds: {} },
    removed,
    left,
    remains: remainsOf(asked, {
      audit,
      restorePoints: await restorePoints(options.dataDir),
      unwritten,
      hasParts: !areGone,
      dialect: state.capabilities.dialect,
    }),
    foundAfter,
  };
}

/** Whether some of it may be gone: from then on there is no way back. */
const hasBegun = ({ progress }: Erasure): boolean =>
  progress !== undefined && progress.step !== texts.steps.waiting && progress.step !== texts.steps.comparing;

/** What came since somebody looked may be a little more, no matter what they did meanwhile. */
const mostNow = (shown: number): number => Math.ceil(shown * 1.1) + 100;

/** What was confirmed is what is erased: by what is a person's own now, and about as much as was shown. */
function refuseOther(asked: About, { now, shown }: { readonly now: number; readonly shown: number }): void {
  for (const one of asked.person) checkIdentifier(one);
  if (now > mostMatched) throw new CodedError('ERASURE_REFUSED', [texts.tooManyMatched(now, mostMatched)]);
  if (now > mostNow(shown)) throw new CodedError('ERASURE_REFUSED', [texts.moreThanShown(now, shown)]);
}

async function restorePoints(dataDir: string): Promise<number> {
  return ((await readdir(join(dataDir, 'restore-points')).catch(ignoreMissing)) ?? []).length;
}
