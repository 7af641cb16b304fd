import { ActionIcon, Alert, Button, Group, Stack, Table, Text, TextInput, Title, Tooltip } from '@mantine/core';
import { IconFingerprint, IconShieldExclamation, IconTrash } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { api, client, type Schemas } from '../../../api/client';
import { useTexts } from '../../../i18n/texts';
import { isDismissed, makePasskey } from '../../../session/second-step/passkeys';
import { When } from '../../../ui/format';
import { Loading, notifyDone, Problem } from '../../../ui/problems';
import { factorsTexts } from './factors.texts';
import { ProofDialog, type Proof } from './proof';
import { RecoveryCodes } from './recovery-codes';
import { TotpSetup } from './totp-setup';

type Factors = Schemas['SecondFactorOut'];
type Passkey = Schemas['PasskeyOut'];
/** What waits for a proof. */
type Asked =
  | { readonly what: 'totp' | 'removeTotp' | 'passkey' | 'recovery' }
  | { readonly what: 'removePasskey'; readonly passkey: Passkey };

/** What one has beside the password: app, passkeys, recovery codes. */
export function MyFactors({ email }: { readonly email: string }) {
  const query = api.useQuery('get', '/api/users/me/second-factor');
  if (query.error) return <Problem error={query.error} retry={() => void query.refetch()} />;
  return query.data ? <Factors factors={query.data} email={email} /> : <Loading />;
}

function Factors({ factors, email }: { readonly factors: Factors; readonly email: string }) {
  const say = useTexts(factorsTexts);
  const cache = useQueryClient();
  const [asked, setAsked] = useState<Asked | null>(null);
  const [begun, setBegun] = useState<Schemas['TotpSetupOut'] | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const { totp, passkeys, proved, demanded, recoveryCodesLeft } = factors;
  const hasAny = totp !== null || passkeys.length > 0;
  const done = async (text: string, made: readonly string[] | null = null): Promise<void> => {
    setAsked(null);
    setBegun(null);
    if (made) setCodes(made);
    notifyDone(text);
    await cache.invalidateQueries({ queryKey: ['get'] });
  };
  return (
    <Stack gap="lg">
      <Text c="dimmed" size="sm">
        {say('lead')}
      </Text>
      {demanded && !proved && (
        <Alert color="yellow" variant="light" icon={<IconShieldExclamation aria-hidden />} title={say('demandedTitle')}>
          {say('demandedText')}
        </Alert>
      )}
      {codes && <RecoveryCodes codes={codes} onKept={() => setCodes(null)} />}
      <Part
        title={say('app')}
        action={
          <Button variant="default" onClick={() => setAsked({ what: totp ? 'removeTotp' : 'totp' })}>
            {say(totp ? 'remove' : 'setUp')}
          </Button>
        }
      >
        <Text size="sm">{totp ? <AppState totp={totp} /> : say('appOff')}</Text>
      </Part>
      <Part
        title={say('passkeys')}
        action={<AddPasskey factors={factors} onAdd={() => setAsked({ what: 'passkey' })} />}
      >
        <Text size="sm">{say('passkeysLead')}</Text>
        <PasskeyHint at={factors.passkeysAt} />
        {passkeys.length > 0 && (
          <Passkeys passkeys={passkeys} onRemove={(passkey) => setAsked({ what: 'removePasskey', passkey })} />
        )}
      </Part>
      {hasAny && (
        <Part
          title={say('recovery')}
          action={
            <Button variant="default" onClick={() => setAsked({ what: 'recovery' })}>
              {say('renew')}
            </Button>
          }
        >
          <Text size="sm">{say('recoveryLead', { count: recoveryCodesLeft })}</Text>
        </Part>
      )}
      {asked && (
        <Question
          {...{ asked, email, done, onBegun: setBegun }}
          takes={{ code: hasAny, password: !hasAny || proved }}
          onClose={() => setAsked(null)}
        />
      )}
      {begun && (
        <TotpSetup begun={begun} onDone={(made) => void done(say('totpDone'), made)} onClose={() => setBegun(null)} />
      )}
    </Stack>
  );
}

function AppState({ totp }: { readonly totp: Schemas['TotpOut'] }) {
  const say = useTexts(factorsTexts);
  const when = new Date(totp.created).toLocaleDateString(document.documentElement.lang || undefined);
  return (
    <>
      {say('appOn', { when })} {say('lastUsed')}: <When at={totp.lastUsed} />
    </>
  );
}

function Part({
  title,
  action,
  children,
}: {
  readonly title: string;
  readonly action: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <Stack gap="xs">
      <Group justify="space-between" align="center" gap="sm">
        <Title order={3} size="h4">
          {title}
        </Title>
        {action}
      </Group>
      {children}
    </Stack>
  );
}

function AddPasskey({ factors, onAdd }: { readonly factors: Factors; readonly onAdd: () => void }) {
  const say = useTexts(factorsTexts);
  if (factors.passkeysAt !== location.origin) return null;
  return (
    <Button variant="default" leftSection={<IconFingerprint size={18} aria-hidden />} onClick={onAdd}>
      {say('addPasskey')}
    </Button>
  );
}

function PasskeyHint({ at }: { readonly at: string | null }) {
  const say = useTexts(factorsTexts);
  if (at === location.origin) return null;
  return (
    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {at === null ? say('passkeysNowhere') : say('passkeysElsewhere', { origin: at })}
    </Text>
  );
}

interface PasskeysProps {
  readonly passkeys: readonly Passkey[];
  readonly onRemove: (passkey: Passkey) => void;
}

function Passkeys({ passkeys, onRemove }: PasskeysProps) {
  const say = useTexts(factorsTexts);
  return (
    <Table aria-label={say('passkeys')}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{say('passkey')}</Table.Th>
          <Table.Th visibleFrom="xs">{say('added')}</Table.Th>
          <Table.Th>{say('lastUsed')}</Table.Th>
          <Table.Th ta="end">{say('actions')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {passkeys.map((passkey) => (
          <Table.Tr key={passkey.id}>
            <Table.Td style={{ overflowWrap: 'anywhere' }} dir="auto">
              {passkey.name}
            </Table.Td>
            <Table.Td visibleFrom="xs">
              <When at={passkey.created} />
            </Table.Td>
            <Table.Td>
              <When at={passkey.lastUsed} />
            </Table.Td>
            <Table.Td ta="end">
              <Tooltip label={say('remove')}>
                <ActionIcon
                  variant="subtle"
                  color="red"
                  aria-label={say('removeOne', { name: passkey.name })}
                  onClick={() => onRemove(passkey)}
                >
                  <IconTrash size={18} aria-hidden />
                </ActionIcon>
              </Tooltip>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

interface QuestionProps {
  readonly asked: Asked;
  readonly email: string;
  readonly takes: { readonly code: boolean; readonly password: boolean };
  readonly onBegun: (begun: Schemas['TotpSetupOut']) => void;
  readonly done: (text: string, codes?: readonly string[] | null) => Promise<void>;
  readonly onClose: () => void;
}

/** Has it proved who asks, then does it. */
function Question({ asked, email, takes, onBegun, done, onClose }: QuestionProps) {
  const say = useTexts(factorsTexts);
  const send = async (proof: Proof, answers: Readonly<Record<string, string>>): Promise<void> => {
    if (asked.what === 'totp') {
      const { data } = await client.POST('/api/users/me/second-factor/totp/begin', { body: proof });
      onClose();
      if (data) onBegun(data);
    } else if (asked.what === 'passkey') {
      await done(say('passkeyAdded'), await addPasskey(proof, answers['name'] ?? '', say('passkeyFailed')));
    } else if (asked.what === 'recovery') {
      const { data } = await client.POST('/api/users/me/second-factor/recovery-codes', { body: proof });
      await done(say('recovery'), data?.recoveryCodes ?? null);
    } else {
      await remove(asked, proof);
      await done(say('removed'));
    }
  };
  const words = {
    totp: { title: say('totpTitle') },
    passkey: { title: say('addPasskey') },
    recovery: { title: say('renew'), lead: say('renewText') },
    removeTotp: { title: say('removeOne', { name: say('app') }), lead: say('removeText') },
    removePasskey: {
      title: say('removeOne', { name: 'passkey' in asked ? asked.passkey.name : '' }),
      lead: say('removeText'),
    },
  }[asked.what];
  return (
    <ProofDialog {...words} {...{ email, takes, send, onClose }}>
      {asked.what === 'passkey' && (
        <TextInput
          name="name"
          label={say('passkeyName')}
          placeholder={say('passkeyNamePlaceholder')}
          maxLength={100}
          required
        />
      )}
    </ProofDialog>
  );
}

async function addPasskey(proof: Proof, name: string, failed: string): Promise<readonly string[] | null> {
  const { data } = await client.POST('/api/users/me/second-factor/passkeys/begin', { body: proof });
  if (!data) return null;
  const passkey = await makePasskey(data.options).catch((error: unknown) => {
    throw isDismissed(error) || (error as Error).name === 'InvalidStateError' ? failed : error;
  });
  const body = { setup: data.setup, passkey, name };
  const { data: kept } = await client.POST('/api/users/me/second-factor/passkeys', { body });
  return kept?.recoveryCodes ?? null;
}

async function remove(asked: Asked, body: Proof): Promise<void> {
  if (asked.what !== 'removePasskey') {
    await client.POST('/api/users/me/second-factor/totp/remove', { body });
    return;
  }
  const path = { passkeyId: asked.passkey.id };
  await client.POST('/api/users/me/second-factor/passkeys/{passkeyId}/remove', { params: { path }, body });
}
