import { failure, invalid, notFound } from '../common/errors/domain-error.js';

/** There is no such workflow. */
export class WorkflowNotFound extends notFound('crawl_config_not_found') {}
/** There is no crawler channel of this name. */
export class ChannelNotFound extends notFound('crawler_not_found') {}
/** The proxy is unknown or not for this org. */
export class ProxyNotUsable extends invalid('proxy_not_found') {}
/** A link selector cannot be read. */
export class InvalidLinkSelector extends invalid('invalid_link_selector') {}
/** The address is none of a custom behavior. */
export class InvalidCustomBehavior extends invalid('invalid_custom_behavior') {}
/** The custom behavior cannot be fetched from its address. */
export class CustomBehaviorNotFound extends notFound('custom_behavior_not_found') {}
/** The repository of the custom behavior has no such branch. */
export class CustomBehaviorBranchNotFound extends notFound('custom_behavior_branch_not_found') {}
/** The address of the custom behavior did not answer in time. */
export class CustomBehaviorTimeout extends failure('remote-timeout', 'custom_behavior_timeout') {}
/** The machine lacks the git program. Nothing is known about the repository. */
export class GitNotInstalled extends failure('not-ready', 'git_not_installed') {}
/** `failOnContentCheck` needs a browser profile. */
export class ContentCheckNeedsProfile extends invalid('fail_on_content_check_requires_profile') {}
/** The config has to name exactly one of the two sources of start URLs. */
export class SeedsOrSeedFile extends invalid('use_one_of_seeds_or_seedfile') {}
/** There is no such seed file. */
export class SeedFileNotFound extends notFound('file_not_found') {}
/** The browser profile is unknown. */
export class WorkflowProfileNotFound extends notFound('profile_not_found') {}
/** The collection to deduplicate against is unknown. */
export class DedupeCollectionNotFound extends notFound('collection_not_found') {}
/** A crawl of the workflow is under way. */
export class WorkflowIsRunning extends invalid('crawl_running_cant_deactivate') {}
/** The workflow could not be deleted: another caller was first, or it has had a crawl by now. */
export class NotDeleted extends notFound('failed_to_delete') {}
/** Another caller deactivated the workflow first. */
export class NotDeactivated extends notFound('failed_to_deactivate') {}
/** The workflow changed each time this change was about to be written. */
export class WorkflowChangedMeanwhile extends failure('conflict', 'workflow_changed_meanwhile') {}
/** The workflow is at another revision than the one that `If-Match` names. */
export class WorkflowNotAsExpected extends failure('precondition-failed', 'workflow_not_as_expected') {}
/** The exclusion is there already. */
export class ExclusionExists extends invalid('exclusion_already_exists') {}
/** There is no such exclusion. */
export class ExclusionNotFound extends invalid('exclusion_not_found') {}
