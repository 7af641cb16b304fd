import { Button } from '@mantine/core';
import { Link, Navigate } from '@tanstack/react-router';
import { useTexts } from '../../i18n/texts';
import { lastOrgSlug } from '../../session/last-org';
import { useMe } from '../../session/me';
import { Empty, Loading } from '../../ui/problems';
import { homeTexts } from './home.texts';

export function StartPage() {
  const say = useTexts(homeTexts);
  const me = useMe();
  if (!me) return <Loading />;
  const last = lastOrgSlug();
  const org = me.orgs.find(({ slug }) => slug === last) ?? me.orgs[0];
  if (org) return <Navigate to="/o/$slug" params={{ slug: org.slug }} replace />;
  return (
    <Empty
      title={say('noOrgs')}
      action={
        <Button component={Link} to="/account" variant="default">
          {say('account')}
        </Button>
      }
    >
      {say('noOrgsText')}
    </Empty>
  );
}
