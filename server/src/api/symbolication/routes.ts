/** Symbolicating again what was stored before its source maps came. */
import { CodedError } from '../../base/errors.ts';
import * as issues from '../../domains/issues/index.ts';
import type { Symbolication } from '../../domains/resymbolicate/index.ts';
import { things } from '../../base/texts/things.ts';
import * as contract from './contract.ts';
import { type Api, implement } from '../shared/implement.ts';
import { iso } from '../shared/read.ts';

export function symbolicationRoutes(api: Api): void {
  const running = (): Symbolication => {
    const { symbolication } = api.deps;
    if (!symbolication) throw new CodedError('ENGINE_UNAVAILABLE');
    return symbolication;
  };

  implement(api, contract.getSymbolication, async ({ caller }) => {
    const { since, finishedAt, ...progress } = await running().progress(caller.project.id);
    const time = (at: number | null): string | null => (at === null ? null : iso(at));
    return { ...progress, since: time(since), finishedAt: time(finishedAt) };
  });

  implement(api, contract.symbolicateEvent, async ({ caller, params }) => {
    const event = await issues.findEvent({ events: api.deps.events }, [caller.project.id], params.event);
    if (!event) throw new CodedError('NOT_FOUND', [things.event(params.event)]);
    await running().again([caller.project.id], { eventId: event.event_id });
    return { state: 'queued' as const };
  });
}
