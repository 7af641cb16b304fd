const KEY = 'muniment.org';

/** The slug of the org whose pages were last looked at. */
export const lastOrgSlug = (): string | null => localStorage.getItem(KEY);
export const keepLastOrg = (slug: string): void => localStorage.setItem(KEY, slug);
