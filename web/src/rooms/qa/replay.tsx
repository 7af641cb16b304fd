import { useOrg } from '../../session/me';
import { ReplayFrame } from '../../session/replay-frame';
import { useTexts } from '../../i18n/texts';
import type { QaPageRow } from './queries';
import { qaTexts } from './qa.texts';

/** The page as the archive shows it. */
export function Replay({ crawlId, page }: { readonly crawlId: string; readonly page: QaPageRow }) {
  const say = useTexts(qaTexts);
  const { oid } = useOrg();
  return (
    <ReplayFrame
      scope={{ oid, kind: 'item', id: crawlId }}
      url={page.url}
      ts={page.ts}
      title={say('replayOf', { page: page.title || page.url })}
      height="70vh"
    />
  );
}
