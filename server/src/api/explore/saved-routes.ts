/** Questions of Explore that people keep: saved searches of their own kind. */
import type { Identity, Membership } from '../../domains/accounts/index.ts';
import { CodedError } from '../../base/errors.ts';
import { namingSeenOnly } from '../../domains/named-search/index.ts';
import { readTable } from '../../domains/explore/index.ts';
import * as searches from '../../domains/saved-searches/index.ts';
import { things } from '../../base/texts/things.ts';
import * as contract from './saved-contract.ts';
import { type Api, implement } from '../shared/implement.ts';
import { noteSearch } from '../shared/tellable.ts';
import { toSavedQuestion } from './saved-shapes.ts';
import { readScope } from './routes.ts';

interface Caller {
  readonly membership: Membership;
  readonly identity: Identity;
}

type Question = Parameters<typeof readScope>[2] & {
  readonly query: string;
  readonly field: string[];
  readonly sort: string[];
};

/** Greater numbers are refused by one of the databases, and are nobody's. */
export const isId = (text: string): boolean => /^\d{1,9}$/.test(text);

export function savedQuestionRoutes(api: Api): void {
  const { state } = api.deps;
  const searcherOf = ({ membership, identity }: Caller): searches.Searcher => ({
    organizationId: membership.organizationId,
    userId: identity.userId,
  });
  const mayChange = ({ owner }: searches.SavedSearch, { membership, identity }: Caller): boolean =>
    owner.id === identity.userId || membership.scopes.includes('event:admin');

  const savedOf = async (caller: Caller, id: string): Promise<searches.SavedSearch> => {
    const saved = isId(id) ? await searches.findSavedSearch(state, searcherOf(caller), Number(id)) : undefined;
    if (saved?.type !== 'explore' || !(await namingSeenOnly(state, caller.membership))(saved))
      throw new CodedError('NOT_FOUND', [things.savedQuery(id)]);
    return saved;
  };
  const changeable = async (caller: Caller, id: string): Promise<searches.SavedSearch> => {
    const saved = await savedOf(caller, id);
    if (!mayChange(saved, caller)) throw new CodedError('PERMISSION_DENIED');
    return saved;
  };
  const show = (saved: searches.SavedSearch, caller: Caller) =>
    toSavedQuestion(saved, { userId: caller.identity.userId, mayChange: mayChange(saved, caller) });

  /** What cannot be asked is not kept. */
  const checked = async <Q extends Question>(caller: Caller, question: Q): Promise<Q> => {
    const { scope } = await readScope(api, caller.membership, question);
    readTable(scope, question);
    return question;
  };
  const columnsOf = (question: Question) => ({ query: question.query, sort: question.sort.join(','), state: question });

  implement(api, contract.listSavedQuestions, async ({ caller }) => {
    const isSeen = await namingSeenOnly(state, caller.membership);
    const all = await searches.listSavedSearches(state, searcherOf(caller), 'explore');
    return all.filter(isSeen).map((saved) => show(saved, caller));
  });

  implement(api, contract.saveQuestion, async ({ caller, body: { name, visibility, question }, recorded }) => {
    const kept = columnsOf(await checked(caller, question));
    const fields = { ...kept, name, visibility, type: 'explore', pinned: false } as const;
    const id = await recorded(async (inside, note) => {
      const made = await searches.saveSearch(inside, searcherOf(caller), fields, Date.now());
      noteSearch(note, 'saved_question', undefined, { ...fields, id: made });
      return made;
    });
    return show(await savedOf(caller, String(id)), caller);
  });

  implement(api, contract.getSavedQuestion, async ({ caller, params }) =>
    show(await savedOf(caller, params.saved), caller),
  );

  implement(
    api,
    contract.updateSavedQuestion,
    async ({ caller, params, body: { name, visibility, question }, recorded }) => {
      const saved = await changeable(caller, params.saved);
      const change = {
        ...(name !== undefined && { name }),
        ...(visibility !== undefined && { visibility }),
        ...(question && columnsOf(await checked(caller, question))),
      };
      await recorded(async (inside, note) => {
        await searches.changeSavedSearch(inside, searcherOf(caller), saved.id, change, Date.now());
        const after = await searches.findSavedSearch(inside, searcherOf(caller), saved.id);
        if (after) noteSearch(note, 'saved_question', saved, after);
      });
      return show(await savedOf(caller, params.saved), caller);
    },
  );

  implement(api, contract.deleteSavedQuestion, async ({ caller, params, recorded }) => {
    const saved = await changeable(caller, params.saved);
    await recorded(async (inside, note) => {
      await searches.removeSavedSearch(inside, searcherOf(caller), saved.id);
      noteSearch(note, 'saved_question', saved, undefined);
    });
  });
}
