import { Paper, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '../../i18n/texts';
import { useMe } from '../../session/me';
import { Page } from '../../ui/page';
import { Loading } from '../../ui/problems';
import { accountTexts } from './account.texts';
import { MyFactors } from './factors/my-factors';
import { MyKeys } from './my-keys';
import { MyOrgs } from './my-orgs';
import { MyPassword } from './my-password';
import { MySessions } from './my-sessions';
import { NameAndEmail } from './name-and-email';

/** What is one's own: name, address, password, second factor, log-ins, keys, orgs. */
export function AccountPage() {
  const say = useTexts(accountTexts);
  const me = useMe();
  if (!me) return <Loading />;
  return (
    <Stack maw={720} mx="auto">
      <Page title={say('title')}>
        <Section title={say('you')}>
          <NameAndEmail key={me.email} me={me} />
        </Section>
        <Section title={say('passwordTitle')}>
          <MyPassword email={me.email} />
        </Section>
        <Section title={say('factors')}>
          <MyFactors email={me.email} />
        </Section>
        <Section title={say('sessions')}>
          <MySessions />
        </Section>
        <Section title={say('keys')}>
          <MyKeys isSuperuser={me.is_superuser ?? false} />
        </Section>
        <Section title={say('orgs')}>
          <MyOrgs orgs={me.orgs} isSuperuser={me.is_superuser ?? false} />
        </Section>
      </Page>
    </Stack>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Paper withBorder p="lg" component="section" aria-label={title}>
      <Stack gap="md">
        <Title order={2}>{title}</Title>
        {children}
      </Stack>
    </Paper>
  );
}
