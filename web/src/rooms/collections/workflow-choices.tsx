import { Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { api, client, type Schemas } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import type { Column } from '../../ui/data-list';
import { notifyDone, notifyProblem } from '../../ui/problems';
import type { Choice } from './choice';
import { ChoiceList, useChoiceSearch } from './choice-list';
import { collectionsTexts } from './collections.texts';
import { useReread, type Collection } from './queries';

type Workflow = Schemas['CrawlConfigOut'];
const ORDER = { sortBy: 'lastRun', dir: -1 } as const;
const nameOf = (row: Workflow): string => row.name || row.firstSeed || row.id;

interface ChoicesProps {
  readonly collection: Collection;
  readonly choice: Choice;
  readonly onChange: (choice: Choice) => void;
}

/** Workflows: all their crawls at once, and those to come. */
export function WorkflowChoices({ collection, choice, onChange }: ChoicesProps) {
  const say = useTexts(collectionsTexts);
  const { oid } = useOrg();
  const by = useChoiceSearch(ORDER);
  const query = api.useQuery('get', '/api/orgs/{oid}/crawlconfigs', { params: { path: { oid }, query: by.query } });
  const rows = query.data?.items ?? [];
  const change = (ids: ReadonlySet<string>): void => {
    const workflows = new Set(choice.workflows);
    for (const { id } of rows)
      if (ids.has(id)) workflows.add(id);
      else workflows.delete(id);
    onChange({ ...choice, workflows });
  };
  return (
    <ChoiceList
      lead={say('pickWorkflowsLead')}
      kind="workflow"
      label={say('pick_workflows')}
      columns={useColumns(collection)}
      query={query}
      nameOf={nameOf}
      by={by}
      chosen={new Set(rows.flatMap(({ id }) => (choice.workflows.has(id) ? [id] : [])))}
      onChange={change}
    />
  );
}

function useColumns(collection: Collection): readonly Column<Workflow>[] {
  const say = useTexts(collectionsTexts);
  return [
    {
      id: 'name',
      title: say('name'),
      width: '50%',
      cell: (row) => (
        <Text size="sm" dir="auto" truncate>
          {nameOf(row)}
        </Text>
      ),
    },
    {
      id: 'crawls',
      title: say('pick_crawls'),
      from: 'sm',
      cell: (row) => say('allCrawls', { count: row.crawlSuccessfulCount ?? 0 }),
    },
    { id: 'auto', title: say('autoAdd'), cell: (row) => <AutoAdd row={row} collection={collection} /> },
  ];
}

/** Takes effect at once: it is the workflow that is changed, in this one field. */
function AutoAdd({ row, collection }: { readonly row: Workflow; readonly collection: Collection }) {
  const say = useTexts(collectionsTexts);
  const { oid } = useOrg();
  const reread = useReread();
  const [isBusy, setBusy] = useState(false);
  const known = row.autoAddCollections ?? [];
  const isOn = known.includes(collection.id);
  const toggle = async (): Promise<void> => {
    setBusy(true);
    try {
      await client.PATCH('/api/orgs/{oid}/crawlconfigs/{cid}', {
        params: { path: { oid, cid: row.id } },
        body: {
          autoAddCollections: isOn ? known.filter((one) => one !== collection.id) : [...known, collection.id],
        },
      });
      await reread();
      notifyDone(say(isOn ? 'autoOff' : 'autoOn', { name: nameOf(row) }));
    } catch (error) {
      notifyProblem(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Switch
      checked={isOn}
      disabled={isBusy}
      aria-label={say('autoAddOf', { name: nameOf(row) })}
      onChange={() => void toggle()}
    />
  );
}
