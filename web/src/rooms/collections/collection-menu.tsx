import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconDownload, IconExternalLink, IconLink, IconPencil, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { client } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { useConfirm } from '../../ui/confirm';
import { notifyDone, notifyProblem } from '../../ui/problems';
import { uiTexts } from '../../ui/ui.texts';
import { collectionsTexts } from './collections.texts';
import { downloadLink, publicLink } from './links';
import { useReread, type Collection } from './queries';

interface MenuProps {
  readonly collection: Collection;
  /** Called when it has been deleted. */
  readonly onDeleted?: () => void;
}

/** What can be done with a collection, from a list and from its page. */
export function CollectionMenu({ collection, onDeleted }: MenuProps) {
  const say = useTexts(collectionsTexts);
  const sayUi = useTexts(uiTexts);
  const { slug, canCrawl } = useOrg();
  const remove = useDeletion(collection, onDeleted);
  const isOpen = collection.access !== 'private';
  const link = publicLink(slug, collection);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(link);
    notifyDone(say('linkCopied'));
  };
  return (
    <Menu position="bottom-end" width={230}>
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label={sayUi('moreActions', { name: collection.name })}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {canCrawl && (
          <Menu.Item
            component={Link}
            to={`/o/${slug}/collections/${collection.id}?tab=about`}
            leftSection={<IconPencil size={16} aria-hidden />}
          >
            {say('edit')}
          </Menu.Item>
        )}
        {isOpen && (
          <>
            <Menu.Item
              leftSection={<IconLink size={16} aria-hidden />}
              onClick={() => void copy().catch(notifyProblem)}
            >
              {say('copyLink')}
            </Menu.Item>
            <Menu.Item
              component="a"
              href={link}
              target="_blank"
              rel="noopener"
              leftSection={<IconExternalLink size={16} aria-hidden />}
            >
              {say('openPublic')}
            </Menu.Item>
          </>
        )}
        {(collection.crawlCount ?? 0) > 0 && (
          <Menu.Item
            component="a"
            href={downloadLink(collection)}
            download
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            {say('download')}
          </Menu.Item>
        )}
        {canCrawl && (
          <>
            <Menu.Divider />
            <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => void remove()}>
              {say('delete')}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

function useDeletion({ id, name }: Collection, onDeleted?: () => void): () => Promise<void> {
  const say = useTexts(collectionsTexts);
  const { oid } = useOrg();
  const ask = useConfirm();
  const reread = useReread();
  return async () => {
    const isAgreed = await ask({
      title: say('deleteTitle'),
      text: say('deleteText'),
      action: say('delete'),
      isDestructive: true,
      typed: name,
    });
    if (!isAgreed) return;
    try {
      await client.DELETE('/api/orgs/{oid}/collections/{coll_id}', { params: { path: { oid, coll_id: id } } });
      notifyDone(say('deleted', { name }));
      onDeleted?.();
      await reread(id);
    } catch (error) {
      notifyProblem(error);
    }
  };
}
