import { failure, invalid, notFound } from '../common/errors/domain-error.js';

export class WorkflowNotFound extends notFound('crawl_config_not_found') {}
export class ChannelNotFound extends notFound('crawler_not_found') {}
export class ProxyNotUsable extends invalid('proxy_not_found') {}
export class InvalidLinkSelector extends invalid('invalid_link_selector') {}
export class InvalidCustomBehavior extends invalid('invalid_custom_behavior') {}
export class CustomBehaviorNotFound extends notFound('custom_behavior_not_found') {}
export class CustomBehaviorBranchNotFound extends notFound('custom_behavior_branch_not_found') {}
export class CustomBehaviorTimeout extends failure('remote-timeout', 'custom_behavior_timeout') {}
/** The machine lacks the git program. Nothing is known about the repository. */
export class GitNotInstalled extends failure('not-ready', 'git_not_installed') {}
export class ContentCheckNeedsProfile extends invalid('fail_on_content_check_requires_profile') {}
/** The config has to name exactly one of the two sources of start URLs. */
export class SeedsOrSeedFile extends invalid('use_one_of_seeds_or_seedfile') {}
export class SeedFileNotFound extends notFound('file_not_found') {}
export class WorkflowProfileNotFound extends notFound('profile_not_found') {}
export class DedupeCollectionNotFound extends notFound('collection_not_found') {}
export class WorkflowIsRunning extends invalid('crawl_running_cant_deactivate') {}
/** The workflow could not be deleted: another caller was first, or it has had a crawl by now. */
export class NotDeleted extends notFound('failed_to_delete') {}
/** Another caller deactivated the workflow first. */
export class NotDeactivated extends notFound('failed_to_deactivate') {}
/** The workflow changed each time this change was about to be written. */
export class WorkflowChangedMeanwhile extends failure('conflict', 'workflow_changed_meanwhile') {}
export class ExclusionExists extends invalid('exclusion_already_exists') {}
export class ExclusionNotFound extends invalid('exclusion_not_found') {}
