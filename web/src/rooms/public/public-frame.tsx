import {
  ActionIcon,
  Anchor,
  Box,
  Button,
  Container,
  Group,
  Tooltip,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { IconMoon, IconSun } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, type ReactNode } from 'react';
import { useTexts } from '../../i18n/texts';
import { useSession } from '../../session/session';
import { Brand } from '../../ui/brand';
import classes from './public-frame.module.css';
import { publicTexts } from './public.texts';

interface FrameProps {
  /** What the tab is called. */
  readonly title: string;
  readonly children: ReactNode;
}

/** Around what anybody sees: a header with the way into the console, and a footer. */
export function PublicFrame({ title, children }: FrameProps) {
  const say = useTexts(publicTexts);
  const { state } = useSession();
  useEffect(() => void (document.title = title), [title]);
  return (
    <Box mih="100dvh" style={{ display: 'flex', flexDirection: 'column' }}>
      <a href="#content" className={classes.skip}>
        {say('skip')}
      </a>
      <header className={classes.header}>
        <Container size="xl" h={52}>
          <Group h="100%" justify="space-between" wrap="nowrap">
            <Link to="/" className={classes.home}>
              <Brand />
            </Link>
            <Group gap="xs" wrap="nowrap">
              <Colors />
              <Button component={Link} to="/" size="xs" variant="default">
                {say(state === 'in' ? 'console' : 'logIn')}
              </Button>
            </Group>
          </Group>
        </Container>
      </header>
      <Container component="main" id="content" size="xl" w="100%" py="lg" flex={1}>
        {children}
      </Container>
      <Container component="footer" size="xl" w="100%" py="md">
        <Anchor href="/" size="xs" c="dimmed">
          {say('madeWith')}
        </Anchor>
      </Container>
    </Box>
  );
}

function Colors() {
  const say = useTexts(publicTexts);
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  const SchemeIcon = scheme === 'dark' ? IconSun : IconMoon;
  return (
    <Tooltip label={say('colors')}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={say('colors')}
        onClick={() => setColorScheme(scheme === 'dark' ? 'light' : 'dark')}
      >
        <SchemeIcon size={18} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
