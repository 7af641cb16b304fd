import { defineTexts, sayNow } from '../i18n/texts';

/** What the codes of the API mean to the person who meets them, with what to do next. */
export const codeTexts = defineTexts('api', {
  storage_quota_reached: 'The storage of this org is full. Delete archived items, or ask for more.',
  exec_minutes_quota_reached: 'The crawling minutes of this org are used up for this month.',
  org_set_to_read_only: 'This org is read-only at the moment.',
  crawl_already_running: 'This workflow is running already.',
  crawl_not_running: 'This crawl is not running any more.',
  invalid_regex: 'One of the regular expressions is not valid.',
  invalid_link_selector: 'One of the link selectors is not valid.',
  invalid_lang: 'The language must be a code of two letters, such as en.',
  invalid_custom_behavior: 'One of the custom behaviors cannot be used.',
  invalid_schedule: 'The schedule is not valid.',
  use_one_of_seeds_or_seedfile: 'Give either a list of addresses or a file, not both.',
  duplicate_org_name: 'There is an org of this name already. Choose another one.',
  duplicate_org_slug: 'There is an org with this address already. Choose another one.',
  collection_name_taken: 'There is a collection of this name already. Choose another one.',
  collection_slug_taken: 'There is a collection with this address already. Choose another one.',
  profile_in_use: 'The profile is used by workflows. Choose another one there first.',
  no_such_browser: 'The browser has ended. Start it again.',
  not_allowed: 'Your role does not allow this.',
  password_login_off: 'Passwords open nothing here. Use one of the other ways to sign in.',
  invalid_current_password: 'The current password is wrong.',
  invalid_password: 'Choose a password of 8 to 64 characters.',
  reset_password_bad_token: 'This link has been used already, or it is too old. Ask for a new one.',
  verify_user_bad_token: 'This link has been used already, or it is too old.',
  verify_user_already_verified: 'The address is verified already.',
  invalid_invite: 'This invite is not valid any more. Ask whoever sent it for a new one.',
  invite_already_sent: 'This address is invited already.',
  user_already_is_org_member: 'This account is a member of the org already.',
  user_already_exists: 'There is an account with this address already.',
  exclusion_already_exists: 'There is such an exclusion already.',
  upload_failed: 'The file could not be stored. Check that it is a whole WACZ or WARC file, then try again.',
  invalid_file: 'The file cannot be read as a web archive.',
  too_many_open_uploads: 'This org has too many unfinished uploads. Finish or discard some, then try again.',
  too_many_pieces: 'This upload was interrupted too often. Discard it and begin anew.',
  upload_interrupted: 'The storage did not take the file just now. Try again in a moment.',
  upload_still_processing: 'The upload to be replaced is still being processed. Try again when it is ready.',
  collection_not_found: 'One of the collections is gone. Choose another one.',
  workflow_not_as_expected:
    'Somebody else changed this workflow in the meantime. Look at it as it is now, then try again.',
  name_taken: 'There is one of this name already. Choose another one.',
  api_key_limit_reached: 'There are as many keys as there may be. Revoke one that is not used.',
  api_key_expiry_past: 'The key would have ended already. Choose a later day.',
  api_key_address_invalid: 'One of these is neither an address nor a network such as 192.0.2.0/24.',
  api_key_scope_not_allowed: 'You may not make a key for this.',
  api_key_not_found: 'This key is revoked already.',
});

/** @returns undefined for a code without a sentence */
export const describeCode = (code: string): string | undefined =>
  code in codeTexts.english ? sayNow(codeTexts, code as keyof typeof codeTexts.english) : undefined;
