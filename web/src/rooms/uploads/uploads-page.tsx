import { Alert, Button, Stack, Text, Title } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { IconUpload } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { Page } from '../../ui/page';
import { uiTexts } from '../../ui/ui.texts';
import { ChosenFiles } from './chosen-files';
import { isBegun } from './interrupted';
import { InterruptedList } from './interrupted-list';
import { nameOf, refusalOf } from './kinds';
import { useInterrupted } from './queries';
import { ReplaceFile } from './replace-file';
import { transfers, useTransfers } from './transfers';
import { UnderWay } from './under-way';
import { UploadedList } from './uploaded-list';
import { uploadsTexts } from './uploads.texts';

const route = getRouteApi('/member/o/$slug/uploads');

export function UploadsPage() {
  const say = useTexts(uploadsTexts);
  const { canCrawl } = useOrg();
  return (
    <Page title={say('title')} lead={canCrawl ? say('lead') : say('viewerText')}>
      {canCrawl && <Add />}
      <Title order={2}>{say('uploaded')}</Title>
      <UploadedList />
    </Page>
  );
}

const ongoing = { description: '', tags: [], collections: [] } as const;

/** From a file on the person's disk to one on its way. */
function Add() {
  const say = useTexts(uploadsTexts);
  const sayUi = useTexts(uiTexts);
  const { oid } = useOrg();
  const { replace } = route.useSearch();
  const navigate = route.useNavigate();
  const close = (): void => {
    setRefusals([]);
    void navigate({ search: (before) => ({ ...before, replace: undefined }), replace: true });
  };
  const [chosen, setChosen] = useState<readonly File[]>([]);
  const [refusals, setRefusals] = useState<readonly string[]>([]);
  const underWay = useTransfers(oid);
  const { data: interrupted = [] } = useInterrupted(
    oid,
    underWay.map(({ state }) => state),
  );
  const begin = (file: File, { name = nameOf(file), replaceId = '' } = {}): void =>
    transfers.add(oid, file, { ...ongoing, name, replaceId });

  const take = async (files: readonly File[]): Promise<void> => {
    const refused: string[] = [];
    const taken: File[] = [];
    for (const file of files) {
      const refusal = await refusalOf(file);
      if (refusal) refused.push(say(refusal, { file: file.name }));
      else if (await isBegun(oid, file)) begin(file);
      else taken.push(file);
    }
    setRefusals(refused);
    setChosen((before) => [...before, ...taken]);
  };
  return (
    <Stack>
      {replace ? (
        <ReplaceFile key={replace} id={replace} onClose={close} onRefused={(refusal) => setRefusals([refusal])} />
      ) : (
        <FileDrop onFiles={(files) => void take(files)} />
      )}
      {refusals.length > 0 && (
        <Alert
          color="red"
          variant="light"
          role="alert"
          withCloseButton
          closeButtonLabel={sayUi('close')}
          onClose={() => setRefusals([])}
        >
          {refusals.map((refusal) => (
            <Text key={refusal} size="sm">
              {refusal}
            </Text>
          ))}
        </Alert>
      )}
      {chosen.length > 0 && <ChosenFiles files={chosen} onChange={setChosen} />}
      <UnderWay shown={underWay} />
      <InterruptedList
        uploads={interrupted}
        onFile={begin}
        onOtherFile={(file) => setRefusals([say('otherFile', { file: file.name })])}
      />
    </Stack>
  );
}

function FileDrop({ onFiles }: { readonly onFiles: (files: File[]) => void }) {
  const say = useTexts(uploadsTexts);
  const open = useRef<() => void>(null);
  return (
    <Dropzone
      openRef={open}
      onDrop={onFiles}
      activateOnClick={false}
      activateOnKeyboard={false}
      p="xl"
      style={{ transition: 'none' }}
    >
      <Stack align="center" gap={6} style={{ pointerEvents: 'none' }}>
        <IconUpload size={32} stroke={1.4} aria-hidden />
        <Text fw={500}>{say('drop')}</Text>
        <Text size="sm" c="dimmed" ta="center">
          {say('dropText')}
        </Text>
        <Button mt="xs" style={{ pointerEvents: 'all' }} onClick={() => open.current?.()}>
          {say('choose')}
        </Button>
      </Stack>
    </Dropzone>
  );
}
