import { Button, Group, Select, Text } from '@mantine/core';
import { IconRestore } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { client } from '../../../api/client';
import { useTexts } from '../../../i18n/texts';
import { useOrg } from '../../../session/me';
import { useConfirm } from '../../../ui/confirm';
import { Page } from '../../../ui/page';
import { Empty, Loading, notifyDone, notifyProblem, Problem } from '../../../ui/problems';
import { DifferenceTable } from '../editing/difference-table';
import { forgetWorkflows } from '../workflow-queries';
import { changesBetween, differences, useRevisions, type Revision } from './revision-list';
import { revisionsTexts } from './revisions.texts';

const route = getRouteApi('/member/o/$slug/workflows/$id/revisions');

/** What changed between two revisions of a workflow's settings, and the way back. */
export function RevisionsPage() {
  const say = useTexts(revisionsTexts);
  const org = useOrg();
  const { id } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = useRevisions(org.oid, id);
  const revisions = query.data?.revisions ?? [];
  const newer = revisions.find(({ rev }) => rev === search.newer) ?? revisions[0];
  const older =
    revisions.find(({ rev }) => rev === search.older) ?? revisions.find(({ rev }) => rev < (newer?.rev ?? 0));
  const workflow = query.data?.workflow;
  const name = workflow?.name || workflow?.firstSeed || say('workflow');
  return (
    <Page title={say('title')} lead={say('lead')} back={{ to: `/o/${org.slug}/workflows/${id}`, label: name }}>
      {query.error && <Problem error={query.error} retry={() => void query.refetch()} />}
      {query.isPending ? (
        <Loading />
      ) : newer && older ? (
        <>
          <Group align="flex-end" gap="sm">
            <Picker
              label={say('older')}
              revisions={revisions}
              chosen={older}
              choose={(rev) => void navigate({ search: { ...search, older: rev }, replace: true })}
            />
            <Picker
              label={say('newer')}
              revisions={revisions}
              chosen={newer}
              choose={(rev) => void navigate({ search: { ...search, newer: rev }, replace: true })}
            />
            {org.canCrawl && revisions[0] && query.data && (
              <RestoreButton
                oid={org.oid}
                cid={id}
                tag={query.data.tag}
                current={revisions[0]}
                wanted={older.isCurrent ? newer : older}
              />
            )}
          </Group>
          {differences(older, newer).length === 0 ? (
            <Text c="dimmed">{say('same')}</Text>
          ) : (
            <DifferenceTable oid={org.oid} label={say('title')} found={differences(older, newer)} />
          )}
        </>
      ) : (
        query.data && <Empty title={say('only')}>{say('onlyText')}</Empty>
      )}
    </Page>
  );
}

interface PickerProps {
  readonly label: string;
  readonly revisions: readonly Revision[];
  readonly chosen: Revision;
  readonly choose: (rev: number) => void;
}
function Picker({ label, revisions, chosen, choose }: PickerProps) {
  const say = useTexts(revisionsTexts);
  const intl = useIntl();
  const optionOf = ({ rev, modified, isCurrent }: Revision): string => {
    const when = intl.formatDate(modified, { dateStyle: 'medium', timeStyle: 'short' });
    return say(isCurrent ? 'optionNow' : 'optionOf', { rev, when });
  };
  return (
    <Select
      label={label}
      data={revisions.map((revision) => ({ value: String(revision.rev), label: optionOf(revision) }))}
      value={String(chosen.rev)}
      onChange={(value) => value !== null && choose(Number(value))}
      allowDeselect={false}
      w={{ base: '100%', xs: 300 }}
    />
  );
}

interface RestoreProps {
  readonly oid: string;
  readonly cid: string;
  readonly tag: string | null;
  readonly current: Revision;
  readonly wanted: Revision;
}
function RestoreButton({ oid, cid, tag, current, wanted }: RestoreProps) {
  const say = useTexts(revisionsTexts);
  const ask = useConfirm();
  const query = useRevisions(oid, cid);
  const navigate = route.useNavigate();
  const [isBusy, setBusy] = useState(false);
  const { rev } = wanted;
  const restore = async (): Promise<void> => {
    const title = say('restoreTitle', { rev });
    if (!(await ask({ title, text: say('restoreText'), action: say('restore', { rev }) }))) return;
    setBusy(true);
    try {
      await client.PATCH('/api/orgs/{oid}/crawlconfigs/{cid}', {
        params: { path: { oid, cid } },
        headers: { 'If-Match': tag },
        body: changesBetween(current, wanted) as never,
      });
      await Promise.all([forgetWorkflows(), query.refetch()]);
      await navigate({ search: {}, replace: true });
      notifyDone(say('restored', { rev }));
    } catch (error) {
      notifyProblem(error);
      await query.refetch();
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      variant="default"
      leftSection={<IconRestore size={16} aria-hidden />}
      loading={isBusy}
      disabled={wanted.isCurrent || differences(current, wanted).length === 0}
      onClick={() => void restore()}
    >
      {say('restore', { rev })}
    </Button>
  );
}
