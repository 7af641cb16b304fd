import { AppShell, Group } from '@mantine/core';
import { Link, Outlet } from '@tanstack/react-router';
import { useTexts } from '../i18n/texts';
import { Brand } from '../ui/brand';
import { PersonMenu } from './person-menu';
import classes from './shell.module.css';
import { shellTexts } from './shell.texts';

/** The frame of pages that belong to no org. */
export function PersonShell() {
  const say = useTexts(shellTexts);
  return (
    <AppShell header={{ height: 52 }} padding="md">
      <AppShell.Header px="md">
        <a href="#content" className={classes.skip}>
          {say('skip')}
        </a>
        <Group h="100%" justify="space-between" wrap="nowrap" component="nav" aria-label={say('menu')}>
          <Link to="/" className={classes.brand}>
            <Brand />
          </Link>
          <PersonMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Main id="content">
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
}
