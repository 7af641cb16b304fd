import { Box, Group, Text, UnstyledButton, ActionIcon } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useIntl } from 'react-intl';
import { useTexts } from '../../i18n/texts';
import { uiTexts } from '../../ui/ui.texts';
import { Decision } from './page-list';
import { qaTexts } from './qa.texts';
import classes from './review.module.css';
import { PART_SIZE, type Walk } from './walk';

const route = getRouteApi('/member/o/$slug/items/$id/review');

/** The pages beside the one that is looked at, worst first unless the list was ordered otherwise. */
export function ReviewList({ walk, current }: { readonly walk: Walk; readonly current: string | undefined }) {
  const say = useTexts(qaTexts);
  const intl = useIntl();
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    const entry = list.current?.querySelector<HTMLElement>('[aria-current="true"]');
    if (entry && list.current) {
      const { offsetTop, offsetHeight } = entry;
      const { scrollTop, clientHeight } = list.current;
      if (offsetTop < scrollTop || offsetTop + offsetHeight > scrollTop + clientHeight)
        list.current.scrollTop = offsetTop - clientHeight / 2;
    }
  }, [current, walk.pages]);
  const percent = (score: number): string => intl.formatNumber(score, { style: 'percent', maximumFractionDigits: 1 });
  return (
    <Box component="nav" aria-label={say('pages')} className={classes.list} ref={list} tabIndex={0}>
      {walk.pages.map((page) => (
        <UnstyledButton
          key={page.id}
          className={classes.entry}
          aria-current={page.id === current}
          onClick={() => walk.show(page)}
        >
          <Text size="sm" fw={500} truncate dir="auto">
            {page.title || page.url}
          </Text>
          <Text size="xs" c="dimmed" truncate>
            {page.url}
          </Text>
          <Group gap="xs" mt={2}>
            {page.qa?.screenshotMatch != null && (
              <Text size="xs">{say('matchShort', { screenshot: percent(page.qa.screenshotMatch) })}</Text>
            )}
            <Decision page={page} />
          </Group>
        </UnstyledButton>
      ))}
      {walk.total > PART_SIZE && <Parts walk={walk} />}
    </Box>
  );
}

function Parts({ walk }: { readonly walk: Walk }) {
  const sayUi = useTexts(uiTexts);
  const navigate = route.useNavigate();
  const { part, total, pages } = walk;
  const go = (next: number): void =>
    void navigate({ search: (now) => ({ ...now, part: next, pageId: undefined }), resetScroll: false });
  const from = (part - 1) * PART_SIZE + 1;
  return (
    <Group justify="space-between" p="xs">
      <ActionIcon
        variant="default"
        aria-label={sayUi('previousPage')}
        disabled={part <= 1}
        onClick={() => go(part - 1)}
      >
        <IconChevronLeft size={16} aria-hidden />
      </ActionIcon>
      <Text size="xs">{sayUi('pageOf', { from, to: from + pages.length - 1, total })}</Text>
      <ActionIcon
        variant="default"
        aria-label={sayUi('nextPage')}
        disabled={from + pages.length > total}
        onClick={() => go(part + 1)}
      >
        <IconChevronRight size={16} aria-hidden />
      </ActionIcon>
    </Group>
  );
}
