import { useOrg } from '../../session/me';
import { replayOrigin } from '../../session/session';
import { useTexts } from '../../i18n/texts';
import { Loading } from '../../ui/problems';
import type { QaPageRow } from './queries';
import { qaTexts } from './qa.texts';
import { useReplayToken } from './records';
import classes from './review.module.css';

/** The page as the archive shows it. */
export function Replay({ crawlId, page }: { readonly crawlId: string; readonly page: QaPageRow }) {
  const say = useTexts(qaTexts);
  const { oid } = useOrg();
  const token = useReplayToken(crawlId);
  if (!token) return <Loading />;
  const ts = (page.ts ?? '').replace(/\D/g, '').slice(0, 14);
  const query = new URLSearchParams({ oid, item: crawlId, url: page.url, ...(ts ? { ts } : {}) });
  const address = `${replayOrigin}/replay/?${query.toString()}#replay_token=${encodeURIComponent(token)}`;
  return (
    <iframe
      key={page.id}
      className={classes.replay}
      src={address}
      title={say('replayOf', { page: page.title || page.url })}
      sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-downloads"
    />
  );
}
