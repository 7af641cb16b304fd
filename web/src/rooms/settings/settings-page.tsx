import { useTexts } from '../../i18n/texts';
import { ROLE, useOrg, useOrgRecord } from '../../session/me';
import { AddressTabs } from '../../ui/address-tabs';
import { NO_AUDIT_SEARCH } from '../../ui/audit/audit-search';
import { Page } from '../../ui/page';
import { Empty, Loading } from '../../ui/problems';
import { AdministrationTab } from './administration-tab';
import { AuditTab } from './audit-tab';
import { BillingTab } from './billing-tab';
import { DefaultsTab } from './defaults-tab';
import { GeneralTab } from './general-tab';
import { JobsTab } from './jobs-tab';
import { KeysTab } from './keys-tab';
import { MembersTab } from './members-tab';
import { useAddress, useSettings, type OrgRecord } from './queries';
import { TABS, type Tab } from './search';
import { settingsTexts } from './settings.texts';
import { StorageTab } from './storage-tab';
import { UsageTab } from './usage-tab';
import { WebhooksTab } from './webhooks-tab';

const CONTENT: Readonly<Record<Tab, (props: { readonly record: OrgRecord }) => React.ReactNode>> = {
  general: GeneralTab,
  members: MembersTab,
  usage: UsageTab,
  defaults: DefaultsTab,
  storage: StorageTab,
  webhooks: WebhooksTab,
  keys: KeysTab,
  jobs: JobsTab,
  audit: AuditTab,
  billing: BillingTab,
  administration: AdministrationTab,
};

export function SettingsPage() {
  const say = useTexts(settingsTexts);
  const org = useOrg();
  const record = useOrgRecord();
  const settings = useSettings();
  const { search, change } = useAddress();
  if (!org.isOwner)
    return (
      <Page title={say('title')}>
        <Empty title={say('forOwners')}>{say('forOwnersText')}</Empty>
      </Page>
    );
  const offered = TABS.filter(
    (tab) =>
      (tab !== 'billing' || settings?.billingEnabled === true) &&
      (tab !== 'administration' || org.role >= ROLE.superuser),
  );
  const current = offered.find((tab) => tab === search.tab) ?? 'general';
  const Content = CONTENT[current];
  const nothing = { ...NO_AUDIT_SEARCH, page: undefined, sortBy: undefined, dir: undefined };
  const open = (tab: Tab): void => change({ ...nothing, tab, event: undefined, success: undefined });
  return (
    <Page title={say('title')}>
      <AddressTabs
        label={say('title')}
        tabs={offered.map((id) => ({ id, label: say(`tab_${id}`) }))}
        current={current}
        onChange={open}
      >
        {record ? <Content key={record.id} record={record} /> : <Loading />}
      </AddressTabs>
    </Page>
  );
}
