import { useState } from 'react';
import { client, send } from '../../api/client';
import { ApiProblem } from '../../api/problem';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { notifyDone, notifyProblem } from '../../ui/problems';
import { collectionsTexts } from './collections.texts';
import type { PickedPage } from './page-picker';
import { useReread } from './queries';

/** Bytes that the API takes at most. */
const LARGEST = 2_000_000;

/** Sets and removes the picture of a collection. */
export function usePicture(id: string) {
  const say = useTexts(collectionsTexts);
  const { oid } = useOrg();
  const reread = useReread();
  const [isBusy, setBusy] = useState(false);
  const path = `/api/orgs/${oid}/collections/${id}/thumbnail`;
  /** @param page the page of the collection that it shows @returns whether it was taken */
  const upload = async (image: Blob, filename: string, page?: PickedPage): Promise<boolean> => {
    if (image.size > LARGEST) {
      notifyProblem(say('pictureTooLarge'));
      return false;
    }
    setBusy(true);
    try {
      const query = new URLSearchParams({ filename, ...(page ? sourceOf(page) : {}) });
      await send(`${path}${page ? '' : '/upload'}?${query.toString()}`, { method: 'PUT', body: image });
      await reread();
      notifyDone(say('saved'));
      return true;
    } catch (error) {
      notifyProblem(error instanceof ApiProblem && error.code === 'upload_failed' ? say('pictureBad') : error);
      return false;
    } finally {
      setBusy(false);
    }
  };
  const remove = async (): Promise<void> => {
    await client.DELETE('/api/orgs/{oid}/collections/{coll_id}/thumbnail', {
      params: { path: { oid, coll_id: id } },
    });
    await reread();
  };
  return { isBusy, upload, remove };
}

const sourceOf = ({ url, ts, pageId }: PickedPage): Record<string, string> => ({
  sourceUrl: url,
  sourceTs: ts ?? '',
  sourcePageId: pageId,
});
