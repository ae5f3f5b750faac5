/**
 * What nodes get of each project, told each second over NATS, and what projects usually send, told each minute by those
 * who can ask the events store. What a node has not said lately counts for nothing.
 */
import { z } from 'zod';
import { steadyMs } from '../../base/steady.ts';
import type { Nats } from '../../ports/nats/connection.ts';
import { openNotes } from '../../ports/nats/notes.ts';
import type { Rates, SharedRates } from './index.ts';

const mostTold = 5_000;
const mostNodes = 64;
/** Three notes may be missed. */
const knownForMs = 3_500;

const rates = z.array(z.tuple([z.int().min(1), z.number().min(0).max(1e9)])).max(mostTold);
const told = z.object({ node: z.string().max(64), now: rates.optional(), usual: rates.optional() });

export function openSharedRates(nats: Nats): SharedRates {
  const others = new Map<string, { readonly at: number; readonly rates: Rates }>();
  let usual: Rates | undefined;
  const notes = openNotes(nats, {
    topic: 'rates',
    hear(value) {
      const { data } = told.safeParse(value);
      if (data?.usual) usual = new Map(data.usual);
      if (!data?.now || (!others.has(data.node) && others.size >= mostNodes)) return;
      others.set(data.node, { at: steadyMs(), rates: new Map(data.now) });
    },
  });
  return {
    tell: (current) => void notes.tell({ node: nats.id, now: largest(current) }),
    tellUsual: (current) => void notes.tell({ node: nats.id, usual: largest(current) }),
    usual: () => usual,
    ofOthers(projectId) {
      let sum = 0;
      for (const [node, known] of others) {
        if (steadyMs() - known.at > knownForMs) others.delete(node);
        else sum += known.rates.get(projectId) ?? 0;
      }
      return sum;
    },
    [Symbol.dispose]: () => notes[Symbol.dispose](),
  };
}

const largest = (all: Rates): [number, number][] => [...all].toSorted(([, a], [, b]) => b - a).slice(0, mostTold);
