import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTexts } from '../../i18n/texts';
import { CardPage } from '../../ui/card-page';
import { accountTexts } from './account.texts';

interface EndCardProps {
  readonly title: string;
  readonly text: string;
  /** Where to go on; the start page when there is none. */
  readonly next?: { readonly to: string; readonly label: string };
}

/** The end of an errand: what came of it, and the way on. */
export function EndCard({ title, text, next }: EndCardProps) {
  const say = useTexts(accountTexts);
  return (
    <CardPage title={title} lead={text}>
      <Button component={Link} to={next?.to ?? '/'}>
        {next?.label ?? say('home')}
      </Button>
    </CardPage>
  );
}
