import { Button, Center, Stack, Text, Title } from '@mantine/core';
import { IconShieldLock } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTexts } from '../i18n/texts';
import { shellTexts } from './shell.texts';

/** In place of an org's pages, while the org wants a second factor that the login had not. */
export function FactorDemanded() {
  const say = useTexts(shellTexts);
  return (
    <Center mih="50vh">
      <Stack align="center" gap="sm" maw={460} ta="center">
        <IconShieldLock size={40} stroke={1.4} aria-hidden />
        <Title order={1} size="h2">
          {say('factorTitle')}
        </Title>
        <Text>{say('factorText')}</Text>
        <Button component={Link} to="/account">
          {say('factorSetUp')}
        </Button>
      </Stack>
    </Center>
  );
}
