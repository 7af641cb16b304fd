import { AppShell, Burger, Group, NavLink, ScrollArea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { followOrg } from '../api/live';
import { useTexts } from '../i18n/texts';
import { keepLastOrg } from '../session/last-org';
import { useFactorDemanded, useOrgOfAddress } from '../session/me';
import { useSession } from '../session/session';
import { Brand } from '../ui/brand';
import { Empty, Loading } from '../ui/problems';
import { FactorDemanded } from './factor-demanded';
import { GoAnywhere } from './go-anywhere';
import { OrgNotices } from './org-notices';
import { OrgSwitcher } from './org-switcher';
import { PLACES } from './places';
import { PersonMenu } from './person-menu';
import { RunningBadge } from './running-badge';
import classes from './shell.module.css';
import { shellTexts } from './shell.texts';

/** The frame of an org's pages: header, menu, the page. */
export function OrgShell() {
  const org = useOrgOfAddress();
  const say = useTexts(shellTexts);
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const navigate = useNavigate();
  // An address with the org's id is one that programs made; people get the readable one.
  useEffect(() => {
    if (!org || !location.pathname.startsWith(`/o/${org.oid}`)) return;
    const rest = location.pathname.slice(`/o/${org.oid}`.length);
    void navigate({ to: `/o/${org.slug}${rest}${location.search}`, replace: true });
  }, [org, navigate]);
  const slug = org?.slug;
  useEffect(() => {
    if (slug) keepLastOrg(slug);
  }, [slug]);
  const oid = org?.oid;
  const { state } = useSession();
  const isClosed = useFactorDemanded(oid);
  const isFollowed = state === 'in' && !isClosed;
  useEffect(() => (oid && isFollowed ? followOrg(oid) : undefined), [oid, isFollowed]);
  if (org === undefined) return <Loading />;
  if (org === null) return <Empty title={say('notFound')}>{say('noOrg')}</Empty>;
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 216, breakpoint: 'md', collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <AppShell.Header px="md">
        <a href="#content" className={classes.skip}>
          {say('skip')}
        </a>
        <Group h="100%" justify="space-between" wrap="nowrap" gap="sm">
          <Group gap="sm" wrap="nowrap" miw={0} flex={1}>
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="md"
              style={{ flexShrink: 0 }}
              size="sm"
              aria-label={say('menu')}
            />
            <Link to="/o/$slug" params={{ slug: org.slug }} className={classes.brand} aria-label="Muniment">
              <Brand isShort />
            </Link>
            <OrgSwitcher current={org} />
          </Group>
          <Group gap="xs" wrap="nowrap" style={{ flexShrink: 0 }}>
            {!isClosed && <RunningBadge org={org} />}
            {!isClosed && <GoAnywhere org={org} />}
            <PersonMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={say('menu')}>
        <ScrollArea>
          {PLACES.filter((place) => place.isOffered(org)).map(({ id, path, icon: PlaceIcon }) => (
            <NavLink
              key={id}
              component={Link}
              to={`/o/${org.slug}${path}`}
              activeOptions={{ exact: path === '' }}
              onClick={close}
              label={say(id)}
              leftSection={<PlaceIcon size={18} stroke={1.6} aria-hidden />}
            />
          ))}
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main id="content" key={org.oid}>
        {isClosed ? (
          <FactorDemanded />
        ) : (
          <>
            <OrgNotices />
            <Outlet />
          </>
        )}
      </AppShell.Main>
    </AppShell>
  );
}
