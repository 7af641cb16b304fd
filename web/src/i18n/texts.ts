import { useMemo } from 'react';
import { createIntl, useIntl, type IntlShape, type PrimitiveType } from 'react-intl';

/** The words of one room: English ones in the code, translations in `texts.<locale>.json` beside it. */
export interface Texts<K extends string> {
  readonly room: string;
  readonly english: Readonly<Record<K, string>>;
}

/** Declares the words of a room, in ICU message syntax. Ids are `<room>.<key>`. */
export const defineTexts = <K extends string>(room: string, english: Record<K, string>): Texts<K> => ({
  room,
  english,
});

export type Say<K extends string> = (key: K, values?: Record<string, PrimitiveType>) => string;

const sayWith =
  <K extends string>(intl: IntlShape, { room, english }: Texts<K>): Say<K> =>
  (key, values) =>
    intl.formatMessage({ id: `${room}.${key}`, defaultMessage: english[key] }, values);

/** `const say = useTexts(texts); say('title', { name })`. */
export function useTexts<K extends string>(texts: Texts<K>): Say<K> {
  const intl = useIntl();
  return useMemo(() => sayWith(intl, texts), [intl, texts]);
}

/** Words outside a component, such as those of a notification. `setIntl` follows the person's language. */
let current: IntlShape = createIntl({ locale: 'en', onError: () => undefined });
export const setIntl = (intl: IntlShape): void => void (current = intl);
export const sayNow = <K extends string>(texts: Texts<K>, key: K, values?: Record<string, PrimitiveType>): string =>
  sayWith(current, texts)(key, values);
