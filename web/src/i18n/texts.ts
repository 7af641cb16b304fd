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

/** What the syntax of ICU messages begins with. */
const SYNTAX = /[{}'<#]/;

/** Letters and characters that turn round what is beside them; names in a sentence of ours may have any. */
const TURNS = /[\u0590-\u08FF\u200F\u202A-\u202E\u2066-\u2069\uFB1D-\uFDFF\uFE70-\uFEFC]/;

/** Values of a sentence, those that would turn it round as isolates: what they begin ends with them. */
function isolated(values: Record<string, PrimitiveType> | undefined): Record<string, PrimitiveType> | undefined {
  if (!values) return undefined;
  const isolate = (value: PrimitiveType): PrimitiveType =>
    typeof value === 'string' && TURNS.test(value) ? `\u2068${value}\u2069` : value;
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, isolate(value)]));
}

const sayWith =
  <K extends string>(intl: IntlShape, { room, english }: Texts<K>): Say<K> =>
  (key, values) => {
    const id = `${room}.${key}`;
    const text = intl.messages[id] ?? english[key];
    // Most are plain; to find that out by parsing each is much of what the first page costs.
    if (typeof text === 'string' && !SYNTAX.test(text)) return text;
    return intl.formatMessage({ id, defaultMessage: english[key] }, isolated(values));
  };

/** `const say = useTexts(texts); say('title', { name })`. */
export function useTexts<K extends string>(texts: Texts<K>): Say<K> {
  const intl = useIntl();
  return useMemo(() => sayWith(intl, texts), [intl, texts]);
}

/** Words outside a component, such as those of a notification. `setIntl` follows the person's language. */
let current: IntlShape | null = null;
export const setIntl = (intl: IntlShape): void => void (current = intl);
export const sayNow = <K extends string>(texts: Texts<K>, key: K, values?: Record<string, PrimitiveType>): string =>
  sayWith((current ??= createIntl({ locale: 'en', onError: () => undefined })), texts)(key, values);
