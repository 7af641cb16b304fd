import { ActionIcon, Menu, Text, useMantineColorScheme } from '@mantine/core';
import { IconCheck, IconLogout, IconShield, IconUser } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useLanguage } from '../i18n/language';
import { LOCALES, type Locale } from '../i18n/locales';
import { useTexts } from '../i18n/texts';
import { useMe } from '../session/me';
import { session } from '../session/session';
import { shellTexts } from './shell.texts';

const SCHEMES = ['auto', 'light', 'dark'] as const;

/** Who is logged in; account, language, colours, log-out. */
export function PersonMenu() {
  const say = useTexts(shellTexts);
  const me = useMe();
  const { locale, choose } = useLanguage();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const check = (isOn: boolean) => (isOn ? <IconCheck size={14} aria-hidden /> : undefined);
  return (
    <Menu width={230} position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" radius="xl" size="lg" aria-label={say('account')}>
          <IconUser size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" truncate dir="auto">
            {me?.email}
          </Text>
        </Menu.Label>
        <Menu.Item component={Link} to="/account" leftSection={<IconUser size={16} aria-hidden />}>
          {say('account')}
        </Menu.Item>
        {me?.is_superuser && (
          <Menu.Item component={Link} to="/admin" leftSection={<IconShield size={16} aria-hidden />}>
            {say('admin')}
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Label>{say('language')}</Menu.Label>
        {(Object.keys(LOCALES) as Locale[]).map((one) => (
          <Menu.Item key={one} lang={one} onClick={() => choose(one)} rightSection={check(one === locale)}>
            {LOCALES[one]}
          </Menu.Item>
        ))}
        <Menu.Label>{say('scheme')}</Menu.Label>
        {SCHEMES.map((scheme) => (
          <Menu.Item key={scheme} onClick={() => setColorScheme(scheme)} rightSection={check(scheme === colorScheme)}>
            {say(`scheme_${scheme}`)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={logOut}>
          {say('logOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Where a provider let the person in, they leave it as well. */
function logOut(): void {
  const provider = session.logOut();
  if (provider !== null) location.assign(`/api/auth/oidc/${encodeURIComponent(provider)}/end`);
}
