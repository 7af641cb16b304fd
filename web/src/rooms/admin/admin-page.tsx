import { AppShell, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTexts } from '../../i18n/texts';
import { useMe } from '../../session/me';
import { PersonMenu } from '../../shell/person-menu';
import classes from '../../shell/shell.module.css';
import { shellTexts } from '../../shell/shell.texts';
import { AddressTabs } from '../../ui/address-tabs';
import { NO_AUDIT_SEARCH } from '../../ui/audit/audit-search';
import { Brand } from '../../ui/brand';
import { Page } from '../../ui/page';
import { Empty } from '../../ui/problems';
import { adminTexts } from './admin.texts';
import { AuditTab } from './audit-tab';
import { CrawlsTab } from './crawls-tab';
import { JobsTab } from './jobs-tab';
import { OrgsTab } from './orgs-tab';
import { useAddress, useSettings } from './queries';
import { TABS, type Tab } from './search';
import { SubscriptionsTab } from './subscriptions-tab';
import { SystemTab } from './system-tab';
import { UsersTab } from './users-tab';

const CONTENT: Readonly<Record<Tab, () => ReactNode>> = {
  orgs: OrgsTab,
  users: UsersTab,
  crawls: CrawlsTab,
  jobs: JobsTab,
  audit: AuditTab,
  subscriptions: SubscriptionsTab,
  system: SystemTab,
};

/** Administration of the service lies outside any org, and has a frame of its own. */
export function AdminPage() {
  const say = useTexts(adminTexts);
  const sayShell = useTexts(shellTexts);
  const me = useMe();
  return (
    <AppShell header={{ height: 52 }} padding="md">
      <AppShell.Header px="md">
        <a href="#content" className={classes['skip']}>
          {sayShell('skip')}
        </a>
        <Group h="100%" justify="space-between" wrap="nowrap">
          <nav aria-label={sayShell('menu')}>
            <Link to="/" className={classes['brand']}>
              <Brand />
            </Link>
          </nav>
          <PersonMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Main id="content">
        {me?.is_superuser ? (
          <Administration />
        ) : (
          <Page title={say('title')}>
            <Empty title={say('notForYou')}>{say('notForYouText')}</Empty>
          </Page>
        )}
      </AppShell.Main>
    </AppShell>
  );
}

function Administration() {
  const say = useTexts(adminTexts);
  const settings = useSettings();
  const { search, change } = useAddress();
  const offered = TABS.filter((tab) => tab !== 'subscriptions' || settings?.billingEnabled === true);
  const current = offered.find((tab) => tab === search.tab) ?? 'orgs';
  const Content = CONTENT[current];
  const nothing = { ...NO_AUDIT_SEARCH, page: undefined, sortBy: undefined, dir: undefined };
  return (
    <Page title={say('title')}>
      <AddressTabs
        label={say('title')}
        tabs={offered.map((id) => ({ id, label: say(`tab_${id}`) }))}
        current={current}
        onChange={(tab) => change({ ...nothing, tab, q: undefined, success: undefined, ended: undefined })}
      >
        <Content />
      </AddressTabs>
    </Page>
  );
}
