import { ActionIcon, Group, Menu, Tooltip } from '@mantine/core';
import {
  IconCopy,
  IconDots,
  IconEye,
  IconHistory,
  IconPencil,
  IconPlayerPlay,
  IconPlayerStop,
  IconTrash,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTexts } from '../../i18n/texts';
import type { CurrentOrg } from '../../session/me';
import { uiTexts } from '../../ui/ui.texts';
import { nameOf } from './workflow-actions';
import type { Workflow } from './workflow-queries';
import { workflowsTexts } from './workflows.texts';

interface MenuProps {
  readonly workflow: Workflow;
  readonly org: CurrentOrg;
  readonly isStartable: boolean;
  readonly onRun: () => void;
  readonly onStop: () => void;
  readonly onDelete: () => void;
}

/** What can be done with a workflow of the list, as far as the person's role goes. */
export function WorkflowMenu({ workflow, org, isStartable, onRun, onStop, onDelete }: MenuProps) {
  const say = useTexts(workflowsTexts);
  const ui = useTexts(uiTexts);
  const base = `/o/${org.slug}/workflows`;
  const isRunning = workflow.isCrawlRunning ?? false;
  const name = nameOf(workflow);
  const Quick = isRunning ? IconPlayerStop : IconPlayerPlay;
  const quick = say(isRunning ? 'stopCrawl' : 'runNow');
  return (
    <Group gap={2} wrap="nowrap" justify="flex-end">
      {org.canCrawl && (
        <Tooltip label={quick}>
          <ActionIcon
            variant="subtle"
            color={isRunning ? 'red' : undefined}
            aria-label={`${quick}: ${name}`}
            disabled={!isRunning && !isStartable}
            onClick={isRunning ? onStop : onRun}
            visibleFrom="sm"
          >
            <Quick size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={ui('moreActions', { name })}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {org.canCrawl && (
            <Menu.Item
              leftSection={<Quick size={16} aria-hidden />}
              disabled={!isRunning && !isStartable}
              onClick={isRunning ? onStop : onRun}
            >
              {quick}
            </Menu.Item>
          )}
          {isRunning && (
            <Menu.Item component={Link} to={`${base}/${workflow.id}`} leftSection={<IconEye size={16} aria-hidden />}>
              {say('watch')}
            </Menu.Item>
          )}
          {org.canCrawl && (
            <>
              <Menu.Item
                component={Link}
                to={`${base}/${workflow.id}/edit`}
                leftSection={<IconPencil size={16} aria-hidden />}
              >
                {say('edit')}
              </Menu.Item>
              <Menu.Item
                component={Link}
                to={`${base}/new?from=${workflow.id}`}
                leftSection={<IconCopy size={16} aria-hidden />}
              >
                {say('duplicate')}
              </Menu.Item>
            </>
          )}
          <Menu.Item
            component={Link}
            to={`${base}/${workflow.id}/revisions`}
            leftSection={<IconHistory size={16} aria-hidden />}
          >
            {say('revisions')}
          </Menu.Item>
          <Menu.Item onClick={() => void navigator.clipboard.writeText(workflow.id)}>{say('copyId')}</Menu.Item>
          {workflow.tags && workflow.tags.length > 0 && (
            <Menu.Item onClick={() => void navigator.clipboard.writeText((workflow.tags ?? []).join(', '))}>
              {say('copyTags')}
            </Menu.Item>
          )}
          {org.canCrawl && (
            <>
              <Menu.Divider />
              <Menu.Item
                color="red"
                leftSection={<IconTrash size={16} aria-hidden />}
                disabled={isRunning}
                onClick={onDelete}
              >
                {say('delete')}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}
