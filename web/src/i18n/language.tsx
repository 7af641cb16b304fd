import { createContext, useCallback, useContext, useEffect, useMemo, useState, type ReactNode } from 'react';
import { createIntl, RawIntlProvider } from 'react-intl';
import { initialLocale, keepLocale, messagesOf, type Locale } from './locales';
import { setIntl } from './texts';

interface Language {
  readonly locale: Locale;
  readonly choose: (locale: Locale) => void;
}
const LanguageContext = createContext<Language>({ locale: 'en', choose: () => undefined });

export const useLanguage = (): Language => useContext(LanguageContext);

interface Words {
  readonly locale: Locale;
  readonly messages: Record<string, string>;
}

/** A language whose words cannot be had is shown in English. */
const wordsOf = async (locale: Locale): Promise<Words> => ({
  locale,
  messages: await messagesOf(locale).catch(() => ({})),
});

/** The words that the console starts with. */
export const firstWords = (): Promise<Words> => wordsOf(initialLocale());

/** Shows its children in the person's language. */
export function LanguageProvider({ first, children }: { readonly first: Words; readonly children: ReactNode }) {
  const [locale, setLocale] = useState(first.locale);
  const [words, setWords] = useState(first);
  useEffect(() => {
    if (words.locale === locale) return undefined;
    let isCurrent = true;
    void wordsOf(locale).then((loaded) => isCurrent && setWords(loaded));
    return () => void (isCurrent = false);
  }, [locale, words.locale]);
  const intl = useMemo(() => {
    // A message that no translation has is shown in English.
    const made = createIntl({ ...words, onError: () => undefined });
    setIntl(made);
    return made;
  }, [words]);
  useEffect(() => void (document.documentElement.lang = intl.locale), [intl]);
  const choose = useCallback((next: Locale) => {
    keepLocale(next);
    setLocale(next);
  }, []);
  const language = useMemo(() => ({ locale, choose }), [locale, choose]);
  return (
    <LanguageContext value={language}>
      <RawIntlProvider value={intl}>{children}</RawIntlProvider>
    </LanguageContext>
  );
}
