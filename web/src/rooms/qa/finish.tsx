import { Button, Group, Modal, Radio, Stack, Textarea } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { useTexts } from '../../i18n/texts';
import { notifyDone, notifyProblem } from '../../ui/problems';
import { uiTexts } from '../../ui/ui.texts';
import type { Item, useReviewing } from './queries';
import { qaTexts } from './qa.texts';
import { GRADES, gradeOf } from './rating';

const route = getRouteApi('/member/o/$slug/items/$id/review');

interface FinishProps {
  readonly item: Item;
  readonly reviewing: ReturnType<typeof useReviewing>;
  readonly onClose: () => void;
}
/** The word on the whole item, at the end of a review. */
export function Finish({ item, reviewing, onClose }: FinishProps) {
  const say = useTexts(qaTexts);
  const sayUi = useTexts(uiTexts);
  const navigate = route.useNavigate();
  const { slug, id } = route.useParams();
  const [grade, setGrade] = useState(String(gradeOf(item) ?? ''));
  const [description, setDescription] = useState(item.description ?? '');
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    try {
      await reviewing.rate(Number(grade), description);
      notifyDone(say('rated'));
      void navigate({ to: '/o/$slug/items/$id/qa', params: { slug, id } });
    } catch (error) {
      notifyProblem(error);
      setBusy(false);
    }
  };
  return (
    <Modal opened onClose={onClose} title={say('finish')} closeButtonProps={{ 'aria-label': sayUi('close') }}>
      <form onSubmit={(event) => void submit(event)}>
        <Stack>
          <Radio.Group label={say('rating')} description={say('ratingText')} value={grade} onChange={setGrade}>
            <Stack gap="xs" mt="xs">
              {[...GRADES].reverse().map((one) => (
                <Radio key={one} value={String(one)} label={say(`grade_${one}`)} />
              ))}
            </Stack>
          </Radio.Group>
          <Textarea
            label={say('description')}
            value={description}
            autosize
            minRows={2}
            dir="auto"
            onChange={(event) => setDescription(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {sayUi('cancel')}
            </Button>
            <Button type="submit" loading={isBusy} disabled={grade === ''}>
              {say('saveRating')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
