import { Alert, Badge, Box, Button, Center, Group, Loader, Modal, Stack, Text, TextInput } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { useTexts } from '../../i18n/texts';
import { useConfirm } from '../../ui/confirm';
import { notifyDone, notifyProblem, sentenceOf } from '../../ui/problems';
import { uiTexts } from '../../ui/ui.texts';
import classes from './profiles.module.css';
import { hasEnded, useBrowserAddress, usePing, useProfileActions, type Profile } from './queries';
import { profilesTexts } from './profiles.texts';

const org = getRouteApi('/member/o/$slug');

interface BrowserSessionProps {
  readonly browserId: string;
  /** The profile whose logins are renewed; a new one is made when there is none. */
  readonly profile?: Profile;
  readonly onClose: () => void;
}

/** A browser on the service in which a person logs in to sites; then it is kept as a profile. */
export function BrowserSession({ browserId, profile, onClose }: BrowserSessionProps) {
  const say = useTexts(profilesTexts);
  const sayUi = useTexts(uiTexts);
  const actions = useProfileActions();
  const { slug } = org.useParams();
  const navigate = org.useNavigate();
  const ask = useConfirm();
  const address = useBrowserAddress(browserId);
  const ping = usePing(browserId);
  const [name, setName] = useState(profile?.name ?? '');
  const [isBusy, setBusy] = useState(false);
  const isKept = useRef(false);
  useEndOfBrowser(browserId, isKept);
  const isOver = hasEnded(ping.error) || hasEnded(address.error);
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    try {
      isKept.current = true;
      if (profile) await actions.saveLogins(browserId, profile);
      else {
        const id = await actions.create(browserId, { name: name.trim(), description: '', tags: [] });
        void navigate({ to: `/o/${slug}/profiles/${id}` });
      }
      notifyDone(say('saved'));
      onClose();
    } catch (error) {
      isKept.current = false;
      notifyProblem(error);
      setBusy(false);
    }
  };
  const close = async (): Promise<void> => {
    if (isBusy) return;
    const question = { title: say('discard'), text: say('discardText'), action: say('discard'), isDestructive: true };
    if (isOver || (await ask(question))) onClose();
  };
  const sites = ping.data ?? [];
  return (
    <Modal
      opened
      fullScreen
      onClose={() => void close()}
      closeOnEscape={false}
      closeButtonProps={{ 'aria-label': sayUi('close') }}
      title={profile ? say('loginsOf', { name: profile.name }) : say('new')}
      classNames={{ body: classes.session, content: classes.content }}
    >
      <form onSubmit={(event) => void save(event)} className={classes.form}>
        <Stack gap="sm" h="100%">
          <Group align="flex-end" gap="sm">
            {!profile && (
              <TextInput
                label={say('name')}
                required
                value={name}
                maxLength={200}
                onChange={(event) => setName(event.currentTarget.value)}
                w={{ base: '100%', xs: 300 }}
              />
            )}
            <Button type="submit" loading={isBusy} disabled={isOver || !address.data || (!profile && !name.trim())}>
              {say(profile ? 'saveLogins' : 'save')}
            </Button>
            <Button variant="default" onClick={() => void close()} disabled={isBusy}>
              {say('discard')}
            </Button>
          </Group>
          <Text size="sm">{say('sessionText')}</Text>
          <Group gap={6} role="status" aria-label={say('sitesVisited')}>
            <Text size="sm" fw={500}>
              {say('sitesVisited')}
            </Text>
            {sites.map((site) => (
              <Badge key={site} variant="default" tt="none" fw={500}>
                {site}
              </Badge>
            ))}
          </Group>
          <View address={address.data} problem={isOver ? say('ended') : problemOf(address.error)} />
        </Stack>
      </form>
    </Modal>
  );
}

const problemOf = (error: unknown): string => (error ? sentenceOf(error) : '');

function View({ address, problem }: { readonly address: string | undefined; readonly problem: string }) {
  const say = useTexts(profilesTexts);
  if (problem)
    return (
      <Alert color="red" role="alert">
        {problem}
      </Alert>
    );
  if (!address)
    return (
      <Center className={classes.view} role="status">
        <Stack align="center" gap="xs">
          <Loader size="sm" />
          <Text size="sm">{say('starting')}</Text>
        </Stack>
      </Center>
    );
  // The service's own page; it is asked for on this origin whatever host the answer names.
  const { pathname, search } = new URL(address, location.origin);
  return <Box component="iframe" className={classes.view} src={pathname + search} title={say('browser')} />;
}

/** Ends the browser when its view is left without being kept: also by another page, or by closing the tab. */
function useEndOfBrowser(browserId: string, isKept: { readonly current: boolean }): void {
  const actions = useProfileActions();
  useEffect(() => {
    const end = (): void => {
      if (!isKept.current) void actions.end(browserId);
    };
    addEventListener('pagehide', end);
    return () => {
      removeEventListener('pagehide', end);
      end();
    };
  }, [actions, browserId, isKept]);
}
