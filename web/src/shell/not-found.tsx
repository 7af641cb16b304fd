import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTexts } from '../i18n/texts';
import { Empty } from '../ui/problems';
import { shellTexts } from './shell.texts';

export function NotFound() {
  const say = useTexts(shellTexts);
  return (
    <Empty
      title={say('notFound')}
      action={
        <Button component={Link} to="/" variant="default">
          {say('home')}
        </Button>
      }
    >
      {say('notFoundText')}
    </Empty>
  );
}
