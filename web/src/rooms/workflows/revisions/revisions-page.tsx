import { Button, Group, Paper, Select, Table, Text } from '@mantine/core';
import { IconRestore } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { api, client } from '../../../api/client';
import { useTexts } from '../../../i18n/texts';
import { useOrg } from '../../../session/me';
import { useConfirm } from '../../../ui/confirm';
import { Page } from '../../../ui/page';
import { Empty, Loading, notifyDone, notifyProblem, Problem } from '../../../ui/problems';
import { editingTexts } from '../editing/editing.texts';
import { orderOf, wordOf } from '../editing/field-words';
import { forgetWorkflows } from '../workflow-queries';
import { changesBetween, differences, useRevisions, type Difference, type Revision } from './revision-list';
import { revisionsTexts } from './revisions.texts';
import { linesOf } from './value-words';

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
            {org.canCrawl && revisions[0] && (
              <RestoreButton oid={org.oid} cid={id} current={revisions[0]} wanted={older.isCurrent ? newer : older} />
            )}
          </Group>
          <DifferenceTable oid={org.oid} found={differences(older, newer)} />
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
      w={280}
    />
  );
}

interface RestoreProps {
  readonly oid: string;
  readonly cid: string;
  readonly current: Revision;
  readonly wanted: Revision;
}
function RestoreButton({ oid, cid, current, wanted }: RestoreProps) {
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
        body: changesBetween(current, wanted) as never,
      });
      await Promise.all([forgetWorkflows(), query.refetch()]);
      await navigate({ search: {}, replace: true });
      notifyDone(say('restored', { rev }));
    } catch (error) {
      notifyProblem(error);
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

function DifferenceTable({ oid, found }: { readonly oid: string; readonly found: readonly Difference[] }) {
  const say = useTexts(revisionsTexts);
  const editing = useTexts(editingTexts);
  const intl = useIntl();
  const { data: profiles } = api.useQuery('get', '/api/orgs/{oid}/profiles', {
    params: { path: { oid }, query: { pageSize: 1000 } },
  });
  const nameOf = (id: string): string | undefined => profiles?.items.find((profile) => profile.id === id)?.name;
  if (found.length === 0) return <Text c="dimmed">{say('same')}</Text>;
  const words = { editing, own: say, intl, nameOf };
  const ordered = [...found].sort((a, b) => orderOf(a.field) - orderOf(b.field));
  return (
    <Paper withBorder radius="md">
      <Table.ScrollContainer minWidth={480}>
        <Table aria-label={say('title')} verticalSpacing="sm" layout="fixed">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w="26%">{say('field')}</Table.Th>
              <Table.Th>{say('before')}</Table.Th>
              <Table.Th>{say('after')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {ordered.map(({ field, before, after }) => {
              const was = linesOf(field, before, words);
              const is = linesOf(field, after, words);
              return (
                <Table.Tr key={field} style={{ verticalAlign: 'top' }}>
                  <Table.Th scope="row" fw={500}>
                    {wordOf(editing, field)}
                  </Table.Th>
                  <Table.Td>
                    <Lines lines={was} others={is} kind="removed" />
                  </Table.Td>
                  <Table.Td>
                    <Lines lines={is} others={was} kind="added" />
                  </Table.Td>
                </Table.Tr>
              );
            })}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  );
}

interface LinesProps {
  readonly lines: readonly string[];
  readonly others: readonly string[];
  readonly kind: 'added' | 'removed';
}
/** The lines of one side; those that the other side has too are counted. */
function Lines({ lines, others, kind }: LinesProps) {
  const say = useTexts(revisionsTexts);
  const own = lines.filter((line) => !others.includes(line));
  const shared = lines.length - own.length;
  const color = kind === 'added' ? 'green' : 'red';
  const Mark = kind === 'added' ? 'ins' : 'del';
  return (
    <>
      {own.map((line) => (
        <Text key={line} size="sm" style={{ overflowWrap: 'anywhere' }}>
          <Mark
            style={{ textDecoration: 'none', background: `var(--mantine-color-${color}-light)`, padding: '1px 4px' }}
            aria-label={`${say(kind)}: ${line}`}
          >
            <span aria-hidden>{kind === 'added' ? '+' : '−'} </span>
            {line}
          </Mark>
        </Text>
      ))}
      {shared > 0 && (
        <Text size="xs" c="dimmed">
          {say('unchanged', { count: shared })}
        </Text>
      )}
    </>
  );
}
