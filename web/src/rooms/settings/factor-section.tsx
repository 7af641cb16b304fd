import { Alert, List, Stack, Switch, Text } from '@mantine/core';
import { api, client } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { Loading, Problem } from '../../ui/problems';
import { Section } from '../../ui/section';
import { useChange, usePath } from './queries';
import { settingsTexts } from './settings.texts';

/** More than these are counted only. */
const SHOWN = 20;

/** Whether members need a second factor, and who has none. */
export function FactorSection() {
  const say = useTexts(settingsTexts);
  const params = usePath();
  const save = useChange();
  const { data, error, refetch } = api.useQuery('get', '/api/orgs/{oid}/second-factor', { params });
  const set = (demanded: boolean): Promise<boolean> =>
    save(() => client.POST('/api/orgs/{oid}/second-factor', { params, body: { demanded } }));
  if (error) return <Problem error={error} retry={() => void refetch()} />;
  if (!data) return <Loading />;
  const lacking = data.members.filter(({ hasSecondFactor: has }) => !has);
  return (
    <Section title={say('factor')} lead={say('factorLead')} isNarrow>
      <Switch
        label={say('factorDemanded')}
        checked={data.demanded}
        onChange={(event) => void set(event.currentTarget.checked)}
      />
      {data.members.length > 0 && lacking.length === 0 && <Text size="sm">{say('factorAll')}</Text>}
      {lacking.length > 0 && (
        <Alert
          color={data.demanded ? 'yellow' : 'gray'}
          variant="light"
          title={say('factorLacking', { count: lacking.length })}
        >
          <Stack gap="xs">
            <Text size="sm">{say(data.demanded ? 'factorLackingOn' : 'factorLackingOff')}</Text>
            <List size="sm">
              {lacking.slice(0, SHOWN).map(({ email, name }) => (
                <List.Item key={email} style={{ overflowWrap: 'anywhere' }}>
                  <bdi>{name && name !== email ? `${name}, ${email}` : email}</bdi>
                </List.Item>
              ))}
            </List>
            {lacking.length > SHOWN && <Text size="sm">{say('factorMore', { count: lacking.length - SHOWN })}</Text>}
          </Stack>
        </Alert>
      )}
    </Section>
  );
}
