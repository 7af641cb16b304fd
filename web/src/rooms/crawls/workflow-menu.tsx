import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconCopy, IconDotsVertical, IconHistory, IconId, IconPencil, IconTrash } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { client } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { useConfirm } from '../../ui/confirm';
import { notifyDone, notifyProblem } from '../../ui/problems';
import { isActive } from '../../ui/state-badge';
import { crawlsTexts } from './crawls.texts';
import { nameOf, useReadAgain, type Workflow } from './queries';

/** What can be done with the workflow itself, whether it runs or not. */
export function WorkflowMenu({ workflow }: { readonly workflow: Workflow }) {
  const say = useTexts(crawlsTexts);
  const { slug, canCrawl } = useOrg();
  const remove = useRemove(workflow);
  const here = `/o/${slug}/workflows/${workflow.id}`;
  const copyId = (): void =>
    void navigator.clipboard.writeText(workflow.id).then(() => notifyDone(say('idCopied')), notifyProblem);
  return (
    <>
      {canCrawl && (
        <Button
          component={Link}
          to={`${here}/edit`}
          variant="default"
          leftSection={<IconPencil size={16} aria-hidden />}
        >
          {say('edit')}
        </Button>
      )}
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={say('more')}>
            <IconDotsVertical size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {canCrawl && (
            <Menu.Item
              component={Link}
              to={`/o/${slug}/workflows/new?from=${workflow.id}`}
              leftSection={<IconCopy size={16} aria-hidden />}
            >
              {say('duplicate')}
            </Menu.Item>
          )}
          <Menu.Item component={Link} to={`${here}/revisions`} leftSection={<IconHistory size={16} aria-hidden />}>
            {say('revisions')}
          </Menu.Item>
          <Menu.Item leftSection={<IconId size={16} aria-hidden />} onClick={copyId}>
            {say('copyId')}
          </Menu.Item>
          {canCrawl && (
            <Menu.Item
              color="red"
              leftSection={<IconTrash size={16} aria-hidden />}
              disabled={isActive(workflow.lastCrawlState)}
              onClick={() => void remove()}
            >
              {say('deleteWorkflow')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

function useRemove(workflow: Workflow): () => Promise<void> {
  const say = useTexts(crawlsTexts);
  const { oid, slug } = useOrg();
  const ask = useConfirm();
  const navigate = useNavigate();
  const readAgain = useReadAgain();
  return async () => {
    const name = nameOf({ ...workflow, firstSeed: workflow.firstSeed ?? '' });
    const isAgreed = await ask({
      title: say('deleteWorkflowTitle'),
      text: `${name}: ${say('deleteWorkflowText')}`,
      action: say('delete'),
      isDestructive: true,
    });
    if (!isAgreed) return;
    try {
      await client.DELETE('/api/orgs/{oid}/crawlconfigs/{cid}', { params: { path: { oid, cid: workflow.id } } });
      notifyDone(say('deleted'));
      await navigate({ to: `/o/${slug}/workflows` });
      await readAgain();
    } catch (error) {
      notifyProblem(error);
    }
  };
}
