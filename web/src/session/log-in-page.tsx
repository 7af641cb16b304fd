import { Anchor, Group, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { api } from '../api/client';
import { useTexts } from '../i18n/texts';
import { CardPage } from '../ui/card-page';
import { LogInForm } from './log-in-form';
import { sessionTexts } from './session.texts';

/** The log-in form as a page; it stands at every address that needs a login, so that links to pages lead on. */
export function LogInPage() {
  const say = useTexts(sessionTexts);
  const { data: settings } = api.useQuery('get', '/api/settings', {}, { staleTime: Infinity });
  return (
    <CardPage title={say('title')} lead={say('tagline')}>
      <Stack>
        <LogInForm />
        <Group justify="space-between">
          <Anchor component={Link} to="/forgot-password" size="sm">
            {say('forgot')}
          </Anchor>
          {settings?.registrationEnabled && (
            <Anchor component={Link} to="/sign-up" size="sm">
              {say('signUp')}
            </Anchor>
          )}
        </Group>
      </Stack>
    </CardPage>
  );
}
