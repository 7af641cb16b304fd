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

/** Shows its children in the person's language. */
export function LanguageProvider({ children }: { readonly children: ReactNode }) {
  const [locale, setLocale] = useState<Locale>(initialLocale);
  const [loaded, setLoaded] = useState<{ locale: Locale; messages: Record<string, string> } | null>(null);
  useEffect(() => {
    let isCurrent = true;
    messagesOf(locale).then(
      (messages) => isCurrent && setLoaded({ locale, messages }),
      () => isCurrent && setLoaded({ locale, messages: {} }),
    );
    return () => void (isCurrent = false);
  }, [locale]);
  const intl = useMemo(() => {
    // A message that no translation has is shown in English.
    const made = createIntl({
      locale: loaded?.locale ?? 'en',
      messages: loaded?.messages ?? {},
      onError: () => undefined,
    });
    setIntl(made);
    return made;
  }, [loaded]);
  useEffect(() => void (document.documentElement.lang = intl.locale), [intl]);
  const choose = useCallback((next: Locale) => {
    keepLocale(next);
    setLocale(next);
  }, []);
  const language = useMemo(() => ({ locale, choose }), [locale, choose]);
  if (!loaded) return null;
  return (
    <LanguageContext value={language}>
      <RawIntlProvider value={intl}>{children}</RawIntlProvider>
    </LanguageContext>
  );
}
