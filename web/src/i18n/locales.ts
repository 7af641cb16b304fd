/** Languages that the console speaks, by their own names. */
export const LOCALES = { en: 'English', de: 'Deutsch', es: 'Español', fr: 'Français' } as const;
export type Locale = keyof typeof LOCALES;

const KEY = 'muniment.locale';
const isLocale = (value: string | null | undefined): value is Locale => value != null && value in LOCALES;

/** The language that the person chose, else the first of the browser's that there is. */
export function initialLocale(): Locale {
  const chosen = localStorage.getItem(KEY);
  if (isLocale(chosen)) return chosen;
  const wished = navigator.languages.map((language) => language.slice(0, 2)).find(isLocale);
  return wished ?? 'en';
}

export const keepLocale = (locale: Locale): void => localStorage.setItem(KEY, locale);

type Messages = Record<string, string>;
const LOADERS: Record<Exclude<Locale, 'en'>, () => Promise<{ default: Messages }>> = {
  de: () => import('./de'),
  es: () => import('./es'),
  fr: () => import('./fr'),
};

/** Messages by id. English is in the code. */
export const messagesOf = async (locale: Locale): Promise<Messages> =>
  locale === 'en' ? {} : (await LOADERS[locale]()).default;
