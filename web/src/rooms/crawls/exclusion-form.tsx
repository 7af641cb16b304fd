import { Button, Group, NativeSelect, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState, type FormEvent } from 'react';
import { api, client } from '../../api/client';
import { EVERY } from '../../api/query-client';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { notifyDone, notifyProblem } from '../../ui/problems';
import { crawlsTexts } from './crawls.texts';
import { isValidRegex, patternOf, type Wish } from './exclusion';
import { useReadAgain, type Crawl } from './queries';

const TYPING_MS = 300;

interface FormProps {
  readonly crawl: Crawl;
  readonly wish: Wish;
  readonly onWish: (wish: Wish) => void;
}

/** Excludes pages while the crawl runs; says before how many of the queue that concerns. */
export function ExclusionForm({ crawl, wish, onWish }: FormProps) {
  const say = useTexts(crawlsTexts);
  const { oid } = useOrg();
  const readAgain = useReadAgain();
  const [isBusy, setBusy] = useState(false);
  const pattern = patternOf(wish);
  const isValid = isValidRegex(pattern);
  const add = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!pattern || !isValid) return;
    setBusy(true);
    try {
      await client.POST('/api/orgs/{oid}/crawls/{crawl_id}/exclusions', {
        params: { path: { oid, crawl_id: crawl.id }, query: { regex: pattern } },
      });
      notifyDone(say('excluded'));
      onWish({ ...wish, text: '' });
      await readAgain();
    } catch (error) {
      notifyProblem(error);
    } finally {
      setBusy(false);
    }
  };
  const isRegex = wish.kind === 'regex';
  return (
    <form onSubmit={(event) => void add(event)}>
      <Group gap="xs" align="flex-start" wrap="wrap">
        <NativeSelect
          aria-label={say('excludeKind')}
          value={wish.kind}
          data={[
            { value: 'text', label: say('excludeText') },
            { value: 'regex', label: say('excludeRegex') },
          ]}
          onChange={(event) => onWish({ ...wish, kind: event.currentTarget.value === 'regex' ? 'regex' : 'text' })}
        />
        <TextInput
          flex="1 1 180px"
          aria-label={say('exclude')}
          placeholder={say(isRegex ? 'excludeRegexHint' : 'excludeTextHint')}
          value={wish.text}
          error={isValid ? undefined : say('excludeInvalid')}
          onChange={(event) => onWish({ ...wish, text: event.currentTarget.value })}
          dir="ltr"
          spellCheck={false}
        />
        <Button type="submit" variant="default" loading={isBusy} disabled={!pattern || !isValid}>
          {say('excludeAdd')}
        </Button>
      </Group>
      <Text size="sm" mt={4} role="status">
        {pattern && isValid && <Matches crawl={crawl} pattern={pattern} />}
      </Text>
    </form>
  );
}

/** How many addresses of the whole queue a pattern finds. */
function Matches({ crawl, pattern }: { readonly crawl: Crawl; readonly pattern: string }) {
  const say = useTexts(crawlsTexts);
  const { oid } = useOrg();
  const [regex] = useDebouncedValue(pattern, TYPING_MS);
  const { data } = api.useQuery(
    'get',
    '/api/orgs/{oid}/crawls/{crawl_id}/queueMatchAll',
    { params: { path: { oid, crawl_id: crawl.id }, query: { regex } } },
    { refetchInterval: EVERY.often, placeholderData: (before) => before },
  );
  if (!data) return null;
  const count = data.matched.length;
  return <>{say(data.nextOffset >= 0 ? 'excludeMatchesMore' : 'excludeMatches', { count })}</>;
}
