import { Button, Stack } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { Page } from '../../ui/page';
import { Loading, Problem } from '../../ui/problems';
import { PageList } from './page-list';
import { chosenRun, useItem, useRuns } from './queries';
import { qaTexts } from './qa.texts';
import { Rating } from './rating';
import { Runs } from './runs';
import { Spread } from './spread';

const route = getRouteApi('/member/o/$slug/items/$id/qa');

/** The quality of one crawl: its QA runs, what they found, and the way into the review. */
export function QaPage() {
  const say = useTexts(qaTexts);
  const { slug, id } = route.useParams();
  const search = route.useSearch();
  const org = useOrg();
  const item = useItem(id);
  const runs = useRuns(id);
  if (item.error) return <Problem error={item.error} retry={() => void item.refetch()} />;
  if (runs.error) return <Problem error={runs.error} retry={() => void runs.refetch()} />;
  if (!item.data || !runs.data) return <Loading />;
  const run = chosenRun(runs.data, search.run);
  const { page: _page, ...filter } = search;
  return (
    <Page
      title={say('title')}
      aside={<Rating item={item.data} />}
      lead={say('lead')}
      back={{ to: `/o/${slug}/items/${id}`, label: item.data.name || item.data.firstSeed || id }}
      actions={
        org.canCrawl && (
          <Button
            component={Link}
            to={`/o/${slug}/items/${id}/review`}
            search={{ ...filter, run: run?.id } as never}
            leftSection={<IconEye size={16} aria-hidden />}
          >
            {say('review')}
          </Button>
        )
      }
    >
      <Stack gap="xl">
        <Runs id={id} runs={runs.data} chosen={run} />
        {run && <Spread id={id} run={run} />}
        <PageList id={id} run={run} />
      </Stack>
    </Page>
  );
}
