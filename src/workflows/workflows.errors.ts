import { DomainError, Invalid, NotFound } from '../common/errors/domain-error.js';

export class WorkflowNotFound extends NotFound {
  readonly detail = 'crawl_config_not_found';
}
export class ChannelNotFound extends NotFound {
  readonly detail = 'crawler_not_found';
}
export class ProxyNotUsable extends Invalid {
  readonly detail = 'proxy_not_found';
}

export class InvalidLinkSelector extends Invalid {
  readonly detail = 'invalid_link_selector';
}

export class InvalidCustomBehavior extends Invalid {
  readonly detail = 'invalid_custom_behavior';
}
export class CustomBehaviorNotFound extends NotFound {
  readonly detail = 'custom_behavior_not_found';
}
export class CustomBehaviorBranchNotFound extends NotFound {
  readonly detail = 'custom_behavior_branch_not_found';
}
export class CustomBehaviorTimeout extends DomainError {
  readonly kind = 'remote-timeout';
  readonly detail = 'custom_behavior_timeout';
}
/** The machine lacks the program; nothing is said about the repository. */
export class GitNotInstalled extends DomainError {
  readonly kind = 'not-ready';
  readonly detail = 'git_not_installed';
}
export class ContentCheckNeedsProfile extends Invalid {
  readonly detail = 'fail_on_content_check_requires_profile';
}
/** Exactly one of the two sources of start URLs has to be there. */
export class SeedsOrSeedFile extends Invalid {
  readonly detail = 'use_one_of_seeds_or_seedfile';
}
export class SeedFileNotFound extends NotFound {
  readonly detail = 'file_not_found';
}
export class WorkflowProfileNotFound extends NotFound {
  readonly detail = 'profile_not_found';
}
export class DedupeCollectionNotFound extends NotFound {
  readonly detail = 'collection_not_found';
}
export class WorkflowIsRunning extends Invalid {
  readonly detail = 'crawl_running_cant_deactivate';
}
/** Somebody else deleted it first. */
export class NotDeleted extends NotFound {
  readonly detail = 'failed_to_delete';
}
/** Somebody else deactivated it first. */
export class NotDeactivated extends NotFound {
  readonly detail = 'failed_to_deactivate';
}
/** The workflow changed each time this change was about to be written. */
export class WorkflowChangedMeanwhile extends DomainError {
  readonly kind = 'conflict';
  readonly detail = 'workflow_changed_meanwhile';
}
export class ExclusionExists extends Invalid {
  readonly detail = 'exclusion_already_exists';
}
export class ExclusionNotFound extends Invalid {
  readonly detail = 'exclusion_not_found';
}
