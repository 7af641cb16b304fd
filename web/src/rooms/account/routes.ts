import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { textOf } from '../../ui/list-search';
import { personRoute, rootRoute } from '../../shell/routes';

const linkSearch = (search: Record<string, unknown>): { token?: string; email?: string } => ({
  token: textOf(search['token']),
  email: textOf(search['email']),
});

/** Pages that links in mails lead to, and those before a login. */
export const accountRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/login',
    component: lazyRouteComponent(() => import('./login-page'), 'LoginPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/setup',
    component: lazyRouteComponent(() => import('./setup-page'), 'SetupPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/forgot-password',
    component: lazyRouteComponent(() => import('./forgot-page'), 'ForgotPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/reset-password',
    validateSearch: linkSearch,
    component: lazyRouteComponent(() => import('./reset-page'), 'ResetPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/verify',
    validateSearch: linkSearch,
    component: lazyRouteComponent(() => import('./verify-page'), 'VerifyPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/sign-up',
    component: lazyRouteComponent(() => import('./join-page'), 'SignUpPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/join/$token',
    validateSearch: linkSearch,
    component: lazyRouteComponent(() => import('./join-page'), 'JoinPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/invite/accept/$token',
    validateSearch: linkSearch,
    component: lazyRouteComponent(() => import('./accept-page'), 'AcceptPage'),
  }),
] as const;

/** Pages of whoever is logged in, outside any org. */
export const personRoutes = [
  createRoute({
    getParentRoute: () => personRoute,
    path: '/account',
    component: lazyRouteComponent(() => import('./account-page'), 'AccountPage'),
  }),
] as const;
