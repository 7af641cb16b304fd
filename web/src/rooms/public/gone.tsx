import { Button, Center, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTexts } from '../../i18n/texts';
import { publicTexts } from './public.texts';
import { PublicFrame } from './public-frame';

/** In place of a page that is not there, or that is not for everybody: both look alike. */
export function Gone({ of }: { readonly of: 'Org' | 'Collection' }) {
  const say = useTexts(publicTexts);
  return <Nothing title={say(`gone${of}`)} text={say(`gone${of}Text`)} />;
}

/** `/explore` alone: there is no list of orgs. */
export function NoOrgNamed() {
  const say = useTexts(publicTexts);
  return <Nothing title={say('noOrg')} text={say('noOrgText')} />;
}

function Nothing({ title, text }: { readonly title: string; readonly text: string }) {
  const say = useTexts(publicTexts);
  return (
    <PublicFrame title={title}>
      <Center mih={300}>
        <Stack align="center" gap="sm" maw={460} ta="center">
          <Title order={1}>{title}</Title>
          <Text c="dimmed">{text}</Text>
          <Button component={Link} to="/" variant="default">
            {say('home')}
          </Button>
        </Stack>
      </Center>
    </PublicFrame>
  );
}
