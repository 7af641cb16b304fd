import { Anchor, Badge, Box, Group, Text } from '@mantine/core';
import { IconCalendarRepeat } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Say } from '../../i18n/texts';
import type { Column } from '../../ui/data-list';
import { Bytes, Count, When } from '../../ui/format';
import { StateBadge } from '../../ui/state-badge';
import { nameOf } from './workflow-actions';
import type { Workflow } from './workflow-queries';
import type { workflowsTexts } from './workflows.texts';

type SayHere = Say<keyof typeof workflowsTexts.english>;

/** The columns of the list; `actions` is the menu of a row. */
export function workflowColumns(
  slug: string,
  say: SayHere,
  actions: (workflow: Workflow) => ReactNode,
): readonly Column<Workflow>[] {
  return [
    {
      id: 'name',
      title: say('name'),
      sortBy: 'name',
      width: '40%',
      cell: (workflow) => <NameCell workflow={workflow} slug={slug} say={say} />,
      csv: nameOf,
    },
    { id: 'address', title: say('address'), isOnlyExported: true, cell: () => null, csv: ({ firstSeed }) => firstSeed },
    {
      id: 'state',
      title: say('state'),
      cell: ({ lastCrawlState }) =>
        lastCrawlState ? <StateBadge state={lastCrawlState} /> : <Dimmed>{say('notRun')}</Dimmed>,
      csv: ({ lastCrawlState }) => lastCrawlState,
    },
    {
      id: 'lastRun',
      title: say('lastRun'),
      sortBy: 'lastRun',
      from: 'sm',
      cell: ({ lastRun }) => <When at={lastRun} />,
      csv: ({ lastRun }) => lastRun,
    },
    {
      id: 'nextRun',
      title: say('nextRun'),
      from: 'md',
      cell: ({ nextRun }) => (nextRun ? <NextRun at={nextRun} /> : <Dimmed>{say('notPlanned')}</Dimmed>),
      csv: ({ nextRun }) => nextRun,
    },
    {
      id: 'crawls',
      title: say('crawls'),
      align: 'end',
      from: 'lg',
      cell: ({ crawlCount }) => <Count value={crawlCount} />,
      csv: ({ crawlCount }) => crawlCount,
    },
    {
      id: 'size',
      title: say('size'),
      align: 'end',
      from: 'md',
      cell: ({ totalSize }) => <Bytes value={totalSize} />,
      csv: ({ totalSize }) => totalSize,
    },
    {
      id: 'modified',
      title: say('modified'),
      sortBy: 'modified',
      from: 'lg',
      cell: ({ modified }) => <When at={modified} />,
      csv: ({ modified }) => modified,
    },
    { id: 'tags', title: say('tags'), isOnlyExported: true, cell: () => null, csv: ({ tags }) => tags?.join(', ') },
    { id: 'actions', title: say('actions'), align: 'end', cell: actions },
  ];
}

const Dimmed = ({ children }: { readonly children: ReactNode }) => (
  <Text span c="dimmed" inherit>
    {children}
  </Text>
);

const NextRun = ({ at }: { readonly at: string }) => (
  <Group gap={4} wrap="nowrap" component="span" display="inline-flex">
    <IconCalendarRepeat size={14} aria-hidden />
    <When at={at} />
  </Group>
);

function NameCell({
  workflow,
  slug,
  say,
}: {
  readonly workflow: Workflow;
  readonly slug: string;
  readonly say: SayHere;
}) {
  const { firstSeed = '', seedCount = 0, tags } = workflow;
  const others = seedCount > 1 ? ` ${say('more', { count: seedCount - 1 })}` : '';
  return (
    <Box style={{ minWidth: 0 }}>
      <Anchor
        component={Link}
        to={`/o/${slug}/workflows/${workflow.id}`}
        display="block"
        fw={500}
        dir="auto"
        ta="start"
        inherit
        truncate
        title={nameOf(workflow)}
      >
        {nameOf(workflow)}
      </Anchor>
      {(workflow.name || others) && (
        <Text size="xs" c="dimmed" truncate>
          {workflow.name ? <bdi>{firstSeed}</bdi> : null}
          {others}
        </Text>
      )}
      {tags && tags.length > 0 && (
        <Group gap={4} mt={2} wrap="nowrap">
          {tags.slice(0, 5).map((tag) => (
            <Badge key={tag} size="xs" variant="default" tt="none" fw={400}>
              {tag}
            </Badge>
          ))}
        </Group>
      )}
    </Box>
  );
}
