import { Anchor, Button, Stack, TextInput } from '@mantine/core';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, client, type Schemas } from '../../api/client';
import { ApiProblem } from '../../api/problem';
import { queryClient } from '../../api/query-client';
import { useTexts } from '../../i18n/texts';
import { session } from '../../session/session';
import { CardPage } from '../../ui/card-page';
import { Loading, notifyProblem, sentenceOf } from '../../ui/problems';
import { accountTexts } from './account.texts';
import { EndCard } from './end-card';
import { useInviteText } from './invite-text';
import { NewPassword } from './new-password';
import { ProblemLine } from './problem-line';
import { useSubmit } from './use-submit';

/** Codes of an address that has an account: with its own password, the API takes the account that there is. */
const KNOWN = new Set(['invalid_current_password', 'user_already_is_org_member', 'user_already_exists']);
const isKnown = (error: unknown): boolean => error instanceof ApiProblem && KNOWN.has(error.code);

/** Makes an account without an invite, where the service lets everybody. */
export function SignUpPage() {
  const say = useTexts(accountTexts);
  const { data: settings } = api.useQuery('get', '/api/settings', {}, { staleTime: Infinity });
  const logInLink = { to: '/login', label: say('logIn') };
  if (!settings) return <Loading />;
  if (!settings.registrationEnabled)
    return <EndCard title={say('signUpTitle')} text={say('signUpClosed')} next={logInLink} />;
  return <AccountForm title={say('signUpTitle')} lead={say('signUpText')} known={logInLink} />;
}

/** Where an invite's link leads somebody new. */
export function JoinPage() {
  const say = useTexts(accountTexts);
  const { token } = useParams({ from: '/join/$token' });
  const { email = '' } = useSearch({ from: '/join/$token' });
  const params = { path: { token }, query: { email } };
  const { data: invite, error } = api.useQuery(
    'get',
    '/api/users/invite/{token}',
    { params },
    { retry: false, staleTime: Infinity },
  );
  const inviteText = useInviteText();
  if (error) return <EndCard title={say('noInvite')} text={sentenceOf(error)} />;
  if (!invite) return <Loading />;
  const known = { to: `/invite/accept/${token}`, label: say('logInAndAccept') };
  return (
    <AccountForm
      title={say('joinTitle')}
      lead={inviteText(invite)}
      known={known}
      invited={{ token, email, oid: invite.oid ?? '', isFirst: invite.firstOrgAdmin ?? false }}
    />
  );
}

interface AccountFormProps {
  readonly title: string;
  readonly lead: string;
  /** Where whoever has an account already goes on. */
  readonly known: { readonly to: string; readonly label: string };
  readonly invited?: {
    readonly token: string;
    readonly email: string;
    readonly oid: string;
    readonly isFirst: boolean;
  };
}

function AccountForm({ title, lead, known, invited }: AccountFormProps) {
  const say = useTexts(accountTexts);
  const navigate = useNavigate();
  const [hasAccount, setHasAccount] = useState(false);
  const { error, isBusy, onSubmit } = useSubmit(async ({ email = '', name = '', newPassword = '', orgName = '' }) => {
    const account = {
      email,
      name,
      password: newPassword,
      refuseCommon: true,
      ...(invited ? { inviteToken: invited.token } : {}),
    };
    try {
      await register(account);
    } catch (problem) {
      if (!isKnown(problem)) throw problem;
      setHasAccount(true);
      return;
    }
    await session.logIn(email, newPassword);
    if (invited?.isFirst && orgName) await nameOrg(invited.oid, orgName).catch(notifyProblem);
    void navigate({ to: '/' });
  });
  if (hasAccount)
    return <EndCard title={say('known')} text={say(invited ? 'knownInvited' : 'knownText')} next={known} />;
  return (
    <CardPage title={title} lead={lead}>
      <form onSubmit={onSubmit}>
        <Stack gap="sm">
          <TextInput
            name="email"
            type="email"
            label={say('email')}
            autoComplete="username"
            defaultValue={invited?.email}
            readOnly={invited !== undefined}
            required
          />
          {invited?.isFirst && (
            <TextInput
              name="orgName"
              label={say('orgName')}
              description={say('orgNameHint')}
              autoComplete="organization"
              maxLength={50}
              required
            />
          )}
          <TextInput name="name" label={say('yourName')} autoComplete="name" required />
          <NewPassword />
          <ProblemLine error={error} />
          <Button type="submit" loading={isBusy}>
            {say('create')}
          </Button>
          <Anchor component={Link} to={known.to} size="sm">
            {say('haveAccount')}
          </Anchor>
        </Stack>
      </form>
    </CardPage>
  );
}

async function register(account: Schemas['UserCreate']): Promise<void> {
  await client.POST('/api/auth/register', { body: account });
}

/** The first administrator names the org; the API makes its address of the name. */
async function nameOrg(oid: string, name: string): Promise<void> {
  await client.POST('/api/orgs/{oid}/rename', { params: { path: { oid } }, body: { name } });
  await queryClient.invalidateQueries({ queryKey: ['get', '/api/users/me'] });
}
