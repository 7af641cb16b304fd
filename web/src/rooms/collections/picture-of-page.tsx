import { Button } from '@mantine/core';
import { IconPhoto } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { client } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { useRecords } from '../../session/records';
import { replayOrigin } from '../../session/session';
import { notifyProblem } from '../../ui/problems';
import { collectionsTexts } from './collections.texts';
import { PagePicker, type PickedPage } from './page-picker';
import { usePicture } from './picture-upload';
import type { Collection } from './queries';

/** Pictures that crawls keep of a page; the small one is made for lists. */
const KINDS = ['thumbnail', 'view'] as const;

/** Takes the picture that a crawl has kept of a page. */
export function PictureOfPage({ collection }: { readonly collection: Collection }) {
  const say = useTexts(collectionsTexts);
  const [isChoosing, setChoosing] = useState(false);
  const [picked, setPicked] = useState<{ readonly page: PickedPage; readonly itemId: string } | null>(null);
  const pick = async (page: PickedPage): Promise<void> => {
    const itemId = await itemOf(collection, page);
    setChoosing(false);
    if (itemId) setPicked({ page, itemId });
    else notifyProblem(say('pictureNone'));
  };
  if (!replayOrigin || !collection.crawlCount) return null;
  return (
    <>
      <Button
        size="xs"
        variant="default"
        loading={picked !== null}
        leftSection={<IconPhoto size={14} aria-hidden />}
        onClick={() => setChoosing(true)}
      >
        {say('pictureOfPage')}
      </Button>
      {isChoosing && (
        <PagePicker
          title={say('picturePickerTitle')}
          collection={collection}
          onClose={() => setChoosing(false)}
          onPick={(page) => void pick(page).catch(notifyProblem)}
        />
      )}
      {picked && <Taking collection={collection} {...picked} onEnd={() => setPicked(null)} />}
    </>
  );
}

/** The item that holds the page; null when the page has gone meanwhile. */
async function itemOf({ oid, id }: Collection, { pageId, url }: PickedPage): Promise<string | null> {
  const { data } = await client.GET('/api/orgs/{oid}/collections/{coll_id}/pages', {
    params: { path: { oid, coll_id: id }, query: { url, pageSize: 1000 } },
  });
  return data?.items.find((page) => page.id === pageId)?.crawl_id ?? null;
}

interface TakingProps {
  readonly collection: Collection;
  readonly page: PickedPage;
  readonly itemId: string;
  readonly onEnd: () => void;
}
/** Reads the picture out of the archive and hands it to the API. */
function Taking({ collection, page, itemId, onEnd }: TakingProps) {
  const say = useTexts(collectionsTexts);
  const { frame, read } = useRecords({ itemId });
  const { upload } = usePicture(collection.id);
  useEffect(() => {
    if (!read) return;
    const take = async (): Promise<void> => {
      for (const kind of KINDS) {
        const bytes = await read('item', `urn:${kind}:${page.url}`, page.ts);
        if (bytes) return void (await upload(new Blob([bytes]), `${kind}-of-page`, page));
      }
      notifyProblem(say('pictureNone'));
    };
    void take().catch(notifyProblem).finally(onEnd);
    // The frame is read from once, as soon as it is ready.
  }, [read]);
  return frame;
}
