import type { Schemas } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { accountTexts } from './account.texts';

/** Who invites to what, as a sentence. */
export function useInviteText(): (invite: Schemas['InviteOut']) => string {
  const say = useTexts(accountTexts);
  return ({ orgName, inviterName, inviterEmail, firstOrgAdmin }) => {
    if (firstOrgAdmin) return say('firstAdmin');
    const org = orgName ?? say('someOrg');
    if (!inviterName) return say('invited', { org });
    return say('invitedBy', { who: inviterEmail ? `${inviterName} (${inviterEmail})` : inviterName, org });
  };
}
