import { Anchor, Badge, Group, Table, Text, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTexts } from '../../i18n/texts';
import { ROLE, type OrgOfMine } from '../../session/me';
import { ExportCsv } from '../../ui/export-csv';
import { accountTexts } from './account.texts';

/** More orgs than these are found by typing. */
const SHOWN = 20;

interface MyOrgsProps {
  readonly orgs: readonly OrgOfMine[];
  readonly isSuperuser: boolean;
}

/** The orgs one belongs to, with what one may do there. */
export function MyOrgs({ orgs, isSuperuser }: MyOrgsProps) {
  const say = useTexts(accountTexts);
  const [search, setSearch] = useState('');
  const found = orgs.filter(({ name }) => name.toLowerCase().includes(search.trim().toLowerCase()));
  if (orgs.length === 0) return <Text size="sm">{say('noOrgs')}</Text>;
  return (
    <>
      {orgs.length > SHOWN && (
        <TextInput
          aria-label={say('searchOrgs')}
          placeholder={say('searchOrgs')}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      <Table aria-label={say('orgs')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{say('org')}</Table.Th>
            <Table.Th w={140}>{say('role')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {found.slice(0, SHOWN).map((org) => (
            <Table.Tr key={org.id}>
              <Table.Td>
                <Group gap="xs">
                  <Anchor
                    component={Link}
                    to={`/o/${org.slug}`}
                    size="sm"
                    dir="auto"
                    style={{ overflowWrap: 'anywhere' }}
                  >
                    {org.name}
                  </Anchor>
                  {org.default && isSuperuser && (
                    <Badge variant="default" tt="none" fw={500}>
                      {say('defaultOrg')}
                    </Badge>
                  )}
                </Group>
              </Table.Td>
              <Table.Td>{say(roleWord(isSuperuser ? ROLE.superuser : org.role))}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {found.length > SHOWN && (
        <Text size="sm" c="dimmed">
          {say('moreOrgs', { count: found.length - SHOWN })}
        </Text>
      )}
      <ExportCsv
        label={say('orgs')}
        columns={[
          { title: say('org'), csv: ({ name }) => name },
          { title: say('role'), csv: ({ role }) => say(roleWord(isSuperuser ? ROLE.superuser : role)) },
        ]}
        rows={() => found}
      />
    </>
  );
}

function roleWord(role: number): 'role_10' | 'role_20' | 'role_40' | 'role_100' {
  if (role >= ROLE.superuser) return 'role_100';
  if (role >= ROLE.owner) return 'role_40';
  return role >= ROLE.crawler ? 'role_20' : 'role_10';
}
