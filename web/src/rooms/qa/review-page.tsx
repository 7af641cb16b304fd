import { ActionIcon, Box, Button, Stack, Text, Tooltip } from '@mantine/core';
import { IconKeyboard } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { Page } from '../../ui/page';
import { Empty, Loading, notifyProblem, Problem } from '../../ui/problems';
import { DecisionBar } from './decision-bar';
import { Finish } from './finish';
import { KeysHelp } from './keys-help';
import { PageViews } from './page-views';
import { chosenRun, useItem, usePage, useReviewing, useRuns, type Item, type Run } from './queries';
import classes from './review.module.css';
import { qaTexts } from './qa.texts';
import { Rating } from './rating';
import { keysAreOn, useKeys } from './review-keys';
import { ReviewList } from './review-list';
import { VIEWS } from './search';
import { useWalk } from './walk';

const route = getRouteApi('/member/o/$slug/items/$id/review');

/** Page by page: what the crawl saw, what replay shows, and the reviewer's word on it. */
export function ReviewPage() {
  const say = useTexts(qaTexts);
  const { id } = route.useParams();
  const search = route.useSearch();
  const { canCrawl } = useOrg();
  const item = useItem(id);
  const runs = useRuns(id);
  if (!canCrawl) return <Empty title={say('review')}>{say('noReview')}</Empty>;
  if (item.error) return <Problem error={item.error} retry={() => void item.refetch()} />;
  if (runs.error) return <Problem error={runs.error} retry={() => void runs.refetch()} />;
  if (!item.data || !runs.data) return <Loading />;
  return <Review item={item.data} run={chosenRun(runs.data, search.run)} />;
}

function Review({ item, run }: { readonly item: Item; readonly run: Run | undefined }) {
  const say = useTexts(qaTexts);
  const { slug, id } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const walk = useWalk(id, run);
  const shown = usePage(id, run, search.pageId);
  const reviewing = useReviewing(id);
  const [dialog, setDialog] = useState<'help' | 'note' | 'finish' | null>(null);
  const [isByKeys, setByKeys] = useState(keysAreOn);
  // The list's word on the page is enough to decide at once; a page outside the part that is shown is read alone.
  const page = shown.data ?? walk.pages.find(({ id: one }) => one === search.pageId);
  const decide = (approved: boolean | null): void => {
    if (page) void reviewing.decide(page.id, approved).catch(notifyProblem);
  };
  const view = search.view ?? (run ? 'screenshots' : 'replay');
  const setView = (next: string | null): void =>
    void navigate({ search: (now) => ({ ...now, view: VIEWS.find((one) => one === next) }), resetScroll: false });
  const views = Object.fromEntries(VIEWS.map((one, number) => [String(number + 1), () => setView(one)]));
  useKeys(
    {
      j: walk.next,
      k: walk.previous,
      y: () => decide(true),
      n: () => decide(false),
      u: () => decide(null),
      c: () => page && setDialog('note'),
      '?': () => setDialog('help'),
      ...views,
    },
    isByKeys && dialog === null,
  );
  const { pageId: _pageId, view: _view, part: _part, ...filter } = search;
  const back = new URLSearchParams(Object.entries(filter).map(([key, value]) => [key, String(value)]));
  return (
    <Page
      title={say('review')}
      aside={<Rating item={item} />}
      lead={item.name || item.firstSeed}
      back={{ to: `/o/${slug}/items/${id}/qa${back.size > 0 ? `?${back.toString()}` : ''}`, label: say('title') }}
      actions={
        <>
          <Tooltip label={say('keys')}>
            <ActionIcon size="lg" variant="default" aria-label={say('keys')} onClick={() => setDialog('help')}>
              <IconKeyboard size={18} aria-hidden />
            </ActionIcon>
          </Tooltip>
          <Button onClick={() => setDialog('finish')}>{say('finish')}</Button>
        </>
      }
    >
      {walk.list.error ? <Problem error={walk.list.error} retry={() => void walk.list.refetch()} /> : null}
      <Box className={classes.layout}>
        <ReviewList walk={walk} current={search.pageId} />
        <Box style={{ minWidth: 0 }}>
          {page ? (
            <Stack gap="sm">
              <DecisionBar
                page={page}
                walk={walk}
                isNoting={dialog === 'note'}
                onNote={(isOpen) => setDialog(isOpen ? 'note' : null)}
                onDecide={decide}
                reviewing={reviewing}
              />
              <PageViews crawlId={id} run={run} page={page} view={view} onView={setView} />
            </Stack>
          ) : shown.error ? (
            <Problem error={shown.error} retry={() => void shown.refetch()} />
          ) : walk.list.isPending || walk.pages.length > 0 ? (
            <Loading />
          ) : (
            <Empty title={say('noPages')}>{say('noPagesText')}</Empty>
          )}
        </Box>
      </Box>
      <Text size="xs" c="dimmed" visibleFrom="sm">
        {say(isByKeys ? 'keysHint' : 'keysAreOff')}
      </Text>
      {dialog === 'help' && <KeysHelp isOn={isByKeys} onSwitch={setByKeys} onClose={() => setDialog(null)} />}
      {dialog === 'finish' && <Finish item={item} reviewing={reviewing} onClose={() => setDialog(null)} />}
    </Page>
  );
}
