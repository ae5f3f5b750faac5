/** What stands behind # in the link of a mail: no server sees it on the way. */
import { useRouterState } from '@tanstack/react-router';
import { ApiError } from '../../api/errors.ts';

export const useLinkToken = (): string => useRouterState({ select: ({ location }) => location.hash });

export const isGone = (error: unknown): boolean => error instanceof ApiError && error.code === 'LINK_GONE';
