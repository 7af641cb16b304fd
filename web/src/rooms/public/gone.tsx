import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTexts } from '../../i18n/texts';
import { Empty } from '../../ui/problems';
import { publicTexts } from './public.texts';
import { PublicFrame } from './public-frame';

/** In place of a page that is not there, or that is not for everybody: both look alike. */
export function Gone({ of }: { readonly of: 'Org' | 'Collection' }) {
  const say = useTexts(publicTexts);
  return (
    <PublicFrame title={say(`gone${of}`)}>
      <Empty title={say(`gone${of}`)} action={<Home />}>
        {say(`gone${of}Text`)}
      </Empty>
    </PublicFrame>
  );
}

/** `/explore` alone: there is no list of orgs. */
export function NoOrgNamed() {
  const say = useTexts(publicTexts);
  return (
    <PublicFrame title={say('noOrg')}>
      <Empty title={say('noOrg')} action={<Home />}>
        {say('noOrgText')}
      </Empty>
    </PublicFrame>
  );
}

function Home() {
  const say = useTexts(publicTexts);
  return (
    <Button component={Link} to="/" variant="default">
      {say('home')}
    </Button>
  );
}
