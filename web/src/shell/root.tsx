import { Alert } from '@mantine/core';
import { onlineManager, useIsFetching, useQueryClient } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import { ApiProblem } from '../api/problem';
import { useTexts } from '../i18n/texts';
import classes from './shell.module.css';
import { shellTexts } from './shell.texts';

export function Root() {
  return (
    <>
      <AwayBanner />
      <Outlet />
    </>
  );
}

/** Tells that the service is away, as long as the newest answers say so. */
function AwayBanner() {
  const say = useTexts(shellTexts);
  const isAway = useIsAway();
  if (!isAway) return null;
  return (
    <Alert color="orange" variant="filled" radius={0} role="status" className={classes.away}>
      {say('away')}
    </Alert>
  );
}

function useIsAway(): boolean {
  const cache = useQueryClient().getQueryCache();
  useIsFetching();
  return useSyncExternalStore(
    (changed) => {
      const leave = [cache.subscribe(changed), onlineManager.subscribe(changed)];
      return () => leave.forEach((stop) => stop());
    },
    () =>
      cache
        .findAll({ type: 'active' })
        .some(({ state }) =>
          [state.error, state.fetchFailureReason].some((e) => e instanceof ApiProblem && e.status === 0),
        ),
  );
}
