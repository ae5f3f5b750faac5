/** The frame of all pages, and those that need nobody signed in. */
import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, redirect } from '@tanstack/react-router';
import { ApiError } from '../../api/errors.ts';
import { searchOf, text } from '../../features/filters/address.ts';
import { sharedSearch } from '../../features/filters/filters.ts';
import { travel } from '../../features/filters/travel.ts';
import { bootQuery } from '../../features/session/boot.ts';
import { chooseOrganization, lastOrganization } from '../../features/session/choose-organization.ts';
import { Root } from '../Root.tsx';
import { lazily } from '../../ui/lazily.tsx';
import type { Ahead } from '../question.ts';
import { Shell } from '../Shell.tsx';
import { page } from './visit.ts';

export const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient; ahead: Ahead }>()({
  component: Root,
  notFoundComponent: lazily(async () => (await import('../NotFound.tsx')).UnknownPage),
});

const setupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/setup',
  component: page(() => import('../../pages/setup/SetupPage.tsx')),
});

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: searchOf({ next: text, problem: text, provider: text }),
  component: page(() => import('../../pages/sign-in/SignInPage.tsx')),
});

const forgotPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/forgot-password',
  component: page(() => import('../../pages/recovery/ForgotPasswordPage.tsx')),
});

const resetPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset-password',
  component: page(() => import('../../pages/recovery/ResetPasswordPage.tsx')),
});

const recoverRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/recover',
  component: page(() => import('../../pages/recovery/RecoverPage.tsx')),
});

/** For who is signed in, and has not shown what their organisation requires. */
const closedRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/closed',
  component: page(() => import('../../pages/closed/ClosedPage.tsx')),
});

const confirmEmailRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/confirm-email',
  component: page(() => import('../../pages/recovery/ConfirmEmailPage.tsx')),
});

/** For whoever has the secret link. */
const sharedIssueRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/shared/$share',
  component: page(() => import('../../pages/shared-issue/SharedIssuePage.tsx')),
});

const inviteRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invite/$token',
  component: page(() => import('../../pages/invite/InvitePage.tsx')),
});

/** Where a person lets an app in. */
const oauthRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/oauth/$way',
  component: page(() => import('../../pages/oauth/OAuthPage.tsx')),
});

/** All pages that need somebody signed in; knows who, and in which organisation. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  validateSearch: sharedSearch,
  search: { middlewares: [travel] },
  beforeLoad: async ({ context: { queryClient }, location }) => {
    const { self, setUpNeeded, organizations, closedOrganizations, mayCreateOrganizations } = await queryClient
      .ensureQueryData(bootQuery)
      .catch((error: unknown) => {
        // Signing in says what is to be set, so that the server goes by the name in the address bar.
        if (error instanceof ApiError && error.code === 'HOST_NOT_ALLOWED') throw redirect({ to: '/sign-in' });
        throw error;
      });
    if (!self.user)
      throw setUpNeeded ? redirect({ to: '/setup' }) : redirect({ to: '/sign-in', search: { next: location.href } });
    if (closedOrganizations.some(({ slug }) => organizations.length === 0 || slug === lastOrganization()))
      throw redirect({ to: '/closed' });
    const organization = chooseOrganization(organizations);
    return {
      self,
      session: {
        user: self.user,
        organization,
        organizations,
        closedOrganizations,
        mayCreateOrganizations,
        serverVersion: self.serverVersion,
      },
      org: organization.slug,
    };
  },
  component: Shell,
});

export const openRoutes = [
  setupRoute,
  signInRoute,
  forgotPasswordRoute,
  resetPasswordRoute,
  recoverRoute,
  closedRoute,
  confirmEmailRoute,
  inviteRoute,
  oauthRoute,
  sharedIssueRoute,
] as const;
