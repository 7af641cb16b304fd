import { Box, Button, Center, Stack, Text } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { client, type Schemas } from '../api/client';
import { useTexts } from '../i18n/texts';
import { Loading, Problem } from '../ui/problems';
import { replayOrigin } from './session';
import { sessionTexts } from './session.texts';

/** What a replay shows: one archived item, a QA run of it, or a collection. */
export interface ReplayOf {
  readonly oid: string;
  readonly kind: 'item' | 'collection';
  readonly id: string;
  /** The replay of this QA run of the item, in place of the item's own. */
  readonly qaRun?: string;
}

interface ReplayFrameProps {
  readonly scope: ReplayOf;
  /** The archived page that is shown first. */
  readonly url?: string | undefined;
  /** Its time, as the API gives it (`2026-01-02T03:04:05Z`) or in 14 digits. */
  readonly ts?: string | null | undefined;
  /** Shows a public collection as anybody sees it, without a token. */
  readonly publicToo?: boolean;
  /** Shows the archived page alone, without the player's address bar and list of pages. */
  readonly isBare?: boolean;
  /** What the frame is called for those who hear the page. */
  readonly title: string;
  readonly height?: number | string;
  /** Told of each archived page that the person goes to in the replay. An archived script can make these up. */
  readonly onPage?: (page: ReplayedPage) => void;
}
export interface ReplayedPage {
  readonly url: string;
  /** 14 digits. */
  readonly ts: string;
}

/**
 * What archived pages may do in the frame. They run on the replay origin: `allow-same-origin` gives them that one, not
 * ours. They cannot lead the console's tab away.
 */
const SANDBOX =
  'allow-scripts allow-same-origin allow-forms allow-modals allow-popups allow-downloads allow-pointer-lock';
/** A token is renewed this long before it ends. */
const RENEW_BEFORE_MS = 20 * 60_000;

const digits = (ts: string): string => ts.split('.')[0]?.replace(/\D/g, '') ?? '';

/** The address of the player for an item or a collection, without its token; on the replay origin where there is one. */
function replayAddress({ scope, url, ts, publicToo = false, isBare = false }: ReplayFrameProps): string {
  const query = new URLSearchParams({ oid: scope.oid, [scope.kind]: scope.id });
  if (scope.qaRun) query.set('qa', scope.qaRun);
  if (publicToo) query.set('public', '1');
  if (isBare) query.set('bare', '1');
  if (url) query.set('url', url);
  if (ts) query.set('ts', digits(ts));
  return `${replayOrigin}/replay-page/?${query.toString()}`;
}

async function newToken({ oid, kind, id }: ReplayOf): Promise<Schemas['ReplayTokenOut']> {
  const { data } = await client.POST('/api/auth/jwt/replay', { body: { oid, kind, id } });
  if (!data) throw new Error('The API gave no token.');
  return data;
}

/** A token that opens this item or collection and nothing else; always one with some time left. */
function useReplayToken(scope: ReplayOf, isNeeded: boolean) {
  return useQuery({
    queryKey: ['replay-token', scope.oid, scope.kind, scope.id],
    queryFn: () => newToken(scope),
    enabled: isNeeded,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchInterval: ({ state }) =>
      state.data ? Math.max(60_000, Date.parse(state.data.expiresAt) - Date.now() - RENEW_BEFORE_MS) : false,
    refetchIntervalInBackground: true,
  });
}

/**
 * The replay of an item or a collection, in a frame of the replay origin. Without such an origin archived scripts must
 * not run in a page that has a login: there it is a link to a tab of its own
 * (docs/adr/0040-replay-on-an-origin-of-its-own.md).
 */
export function ReplayFrame(props: ReplayFrameProps) {
  const { scope, publicToo = false } = props;
  const { data, error, refetch } = useReplayToken(scope, !publicToo);
  if (error && !data) return <Problem error={error} retry={() => void refetch()} />;
  if (!data && !publicToo) return <Loading />;
  const token = publicToo ? null : (data?.token ?? null);
  if (!replayOrigin) return <ReplayLink address={replayAddress(props)} token={token} />;
  // Another item gets another frame, so that nothing of the one before is left in it.
  const key = [scope.kind, scope.id, scope.qaRun, publicToo].join();
  return <Frame key={key} {...props} token={token} />;
}

const withToken = (address: string, token: string | null): string =>
  token ? `${address}#replay_token=${encodeURIComponent(token)}` : address;

function Frame({ token, ...props }: ReplayFrameProps & { readonly token: string | null }) {
  const { title, url, ts, height = 'max(480px, calc(100dvh - 230px))', onPage } = props;
  const frame = useRef<HTMLIFrameElement>(null);
  const [first] = useState({ token, url, ts, src: withToken(replayAddress(props), token) });
  const tell = (message: Readonly<Record<string, unknown>>): void =>
    frame.current?.contentWindow?.postMessage(message, replayOrigin);
  // The frame is not loaded anew for another token or another page: both are told to it.
  useEffect(() => {
    if (token && token !== first.token) tell({ type: 'muniment.token', token });
  }, [token, first]);
  const shown = useRef(first);
  useEffect(() => {
    if (url === shown.current.url && ts === shown.current.ts) return;
    shown.current = { ...shown.current, url, ts };
    if (url) tell({ type: 'muniment.go', url, ts: ts ? digits(ts) : '' });
  }, [url, ts]);
  useEffect(() => {
    const hear = (event: MessageEvent<unknown>): void => {
      if (event.source !== frame.current?.contentWindow || event.origin !== replayOrigin) return;
      const { data } = event;
      if (isRecord(data) && data['type'] === 'muniment.page' && onPage)
        onPage({ url: String(data['url']), ts: String(data['ts']) });
    };
    window.addEventListener('message', hear);
    return () => window.removeEventListener('message', hear);
  }, [onPage]);
  return (
    <Box h={height} style={{ border: '1px solid var(--mantine-color-default-border)', overflow: 'hidden' }}>
      <iframe
        ref={frame}
        src={first.src}
        title={title}
        sandbox={SANDBOX}
        allow="fullscreen; autoplay"
        referrerPolicy="no-referrer"
        style={{ display: 'block', width: '100%', height: '100%', border: 0, background: '#fff' }}
      />
    </Box>
  );
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function ReplayLink({ address, token }: { readonly address: string; readonly token: string | null }) {
  const say = useTexts(sessionTexts);
  return (
    <Center mih={220}>
      <Stack align="center" gap="xs">
        <Button
          component="a"
          href={withToken(address, token)}
          target="_blank"
          rel="noopener noreferrer"
          leftSection={<IconExternalLink size={18} aria-hidden />}
        >
          {say('openReplay')}
        </Button>
        <Text size="sm" c="dimmed">
          {say('openReplayText')}
        </Text>
      </Stack>
    </Center>
  );
}
