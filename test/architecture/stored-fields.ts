/** A pattern of `table.column`, and why a seed does not set these columns or an export does not contain them. */
export type Exception = readonly [columns: RegExp, reason: string]

/** Columns that neither a seed sets nor an export contains. */
export const internal: readonly Exception[] = [
  [
    /^(job|notification|hook_delivery|hook_event|rate_limit|signal_\w+|reference_change|repository_lock)\./,
    'work that is pending',
  ],
  [/^(archive_export|archive_import|pipeline_schedule_run)\.|\.importer_id$/, 'exports, imports and scheduled runs'],
  [
    /^(issue_count|issue_fact|issue_tally|contributor\w*|\w*language\w*|deployment_merge_request|gpg_subkey|verified_signature)\./,
    'computed from other rows',
  ],
  [/^(oauth_record|instance_key|page_session|job_token|application_secret)\./, 'secrets and sessions'],
  [
    /^(upload|secure_file|avatar|appearance_picture|job_artifact|job_trace|release_evidence)\./,
    'files that users or jobs upload',
  ],
  [/^hook\.(failures|retry_at|minute\w*|limited_minutes)$/, 'recorded by deliveries'],
  [/^(remote|pull)_mirror\.(update_status|last_\w+|failure_count|next_update_at)$/, 'recorded by mirroring'],
  [/^pull_mirror\.user_id$/, 'the host updates seeded projects'],
  [
    /^(user\.(last|current)_\w+|(personal_access_token|ssh_key)\.last_used_at|pipeline_trigger\.last_used)$/,
    'recorded by use',
  ],
  [/^merge_request\.(merge_error|\w*commit_sha|auto_merge|merge_when_pipeline_succeeds)$/, 'recorded by merges'],
  [/^deployment_approval\./, 'decisions on deployments that wait'],
  [/^epic_link\./, 'relations between epics, which one call creates'],
  [/^project_fetch\./, 'recorded by fetches'],
  [/^pages_(site|deployment|file)\./, 'sites that jobs publish, and the choices of one call for their addresses'],
  [/^merge_request_check\./, 'recorded by comparisons of branches'],
  [/^audit_event\./, 'recorded by changes; a copy of the data has not been changed by anyone'],
  [/^suggestion\./, 'read from the texts of comments'],
  [/^container_repository\.(status|cleanup_(asked|policy_started)_at)$/, 'recorded by removals from the registry'],
  [/^project\.(pipeline_readers|restricted_features)$/, 'computed from the settings'],
]

/** Why no field of a seed sets a column. */
export const notSeeded: readonly Exception[] = [
  [/\.(closed|merged|created|resolved)_by_id$|^(ssh_key|runner)\.creator_id$/, 'the host acts, which is no user'],
  [/^(broadcast_message|instance_feature|appearance)\./, 'of the whole instance: the host sets them with one call'],
  [
    /^application_setting\./,
    'only settings unlike the defaults; the settings of the seed are secrets, which are stored elsewhere',
  ],
  [
    /^(draft_note|notification_setting|subscription|user_follow|gpg_key)\./,
    'private to a user, who creates it with one call',
  ],
  [/^user\.(theme_id|color_scheme_id|view_diffs_\w+|show_whitespace_\w+|pass_user_\w+)$/, 'preferences without effect'],
  [/^user\.must_accept_terms$/, 'follows the settings'],
  [/^user\.(commit_email|confirmed_at|\w*shared_runners_minutes_limit)$|^user_status\.clear_at$/, 'set by operators'],
  [/^earlier_path\./, 'follows from renames and moves'],
  [/^(error_tracking_client_key|tracked_error)\./, 'created with one call, and by applications'],
  [/^error_tracking_setting\.integrated$/, 'without the names and URLs of other trackers'],
  [/^dependency_file\./, 'follows from the lock files of the repository'],
  [/^commit_comment\./, 'comments on commits: created with one call'],
  [/^job_token_allowlist\./, 'access of job tokens: created with one call'],
  [/^board_label\.|^board\.(hide_\w+|milestone_id|assignee_id|weight)$|^board_list\./, 'scopes of boards'],
  [/^approval_rule\.(merge_request_id|source_rule_id|section)$/, 'rules of single merge requests'],
  [/^hook\.(scope|group_id|site_url)$/, 'only the webhooks of projects'],
  [/^protected_reference\.group_id$/, 'rules of groups: created with one call'],
  [/^topic\.|^event\.(milestone_id|push|internal)$/, 'follow from other fields'],
  [/^(award_emoji|todo)\.(note_id|snippet_id)$/, 'emoji and to-do items of items, not of their notes'],
  [/^ssh_key\.(public|usage_type)$/, 'deploy keys of the instance, and kinds of keys'],
  [/^runner\.(name|version|revision|platform|architecture|ip_address|contacted_at)$/, 'reported by runners'],
  [/^runner\.(token_expires_at|maintenance_note)$/, 'set by operators'],
  [/^(project|namespace)\.marked_for_deletion_on$/, 'results of a removal with a delay'],
  [/^issue\.(moved_to_id|relative_position)$/, 'results of moving issues'],
  [/^member\.overridden_at$|^scim_identity\.(unlinked_at|given_name|family_name)$/, 'results of provisioning'],
  [/^personal_access_token\.(impersonation|family_id)$|^pipeline_trigger\.expires_at$/, 'kinds of tokens'],
  [/^pages_domain\.(certificate\w*|sealed_key|verified_at|enabled_until)$/, 'from a certificate, or from DNS'],
  [/^package\.package_type$|^push_rule\.reject_unsigned_commits$|^sso_provider\.name$/, 'there is one value'],
  [/^replica_node\.selective_sync_\w+$/, 'refer to ids'],
  [
    /^pipeline\.(before_sha|yaml_errors|sealed_variables|creation_key|on_new_commit|root_pipeline_id|upstream_job_id)$/,
    'from the file of a pipeline',
  ],
  [
    /^pipeline_job\.(kind|retried|description|target_url|erased_at|interruptible|trigger|definition|runner_id|sealed_variables)$/,
    'from the file of a pipeline, or by runners',
  ],
  [/^environment\.auto_stop_at$|^container_tag\.put_at$/, 'times of the system'],
]

/** Why an export does not contain a column that a seed sets. */
export const notExported: readonly Exception[] = [
  [/\.id$|^internal_id\.|_uid$|\.uuid$|\.storage_key$|^project_repository\./, 'ids are new'],
  [/\.(confirmed|resolved|requested|last_activity|put|status)_at$/, 'times of the system'],
  [
    /\.(sealed_\w+|shown_url|\w*digest|verification_code|short_token)$|^(user_password|runners_token)\.|\.runners_token$/,
    'secrets',
  ],
  [
    /^(feature_flags_client|deploy_token|personal_access_token|scim_token|scim_identity|pipeline_trigger|runner\w*)\./,
    'only hashes are stored',
  ],
  [/^ci_variable\./, 'can contain secrets'],
  [/^(label_subscription|todo)\./, 'private to a user'],
  [/^project_size\.|^replica_node\.status$/, 'measured by the host'],
  [/^deployment\.job$/, 'belong to another system'],
]

/** Why no route shows a property of a result. The patterns match `Type.property`. */
export const notShown: readonly Exception[] = [
  [/\.(importerId|pipelineReaders|restrictedFeatures)$/, 'for decisions about access'],
  [/^(IssueRecord|MergeRequestRecord)\.(timeEstimate|totalTimeSpent)$/, 'in `time_stats`, which a function computes'],
  [
    /^(RemoteMirror\.nextUpdateAt|StoppedEnvironments\.count|TodoCounts\.done|AddedMembers\.members|ExecutedQuickActions\.id|FeatureFlag\.id)$/,
    'replies of GitLab are without it',
  ],
  [/^(Application|DeployToken)\.\w+$|^(Group\.updatedAt|HookDelivery\.createdAt)$/, 'replies of GitLab are without it'],
  [/^Epic(Record)?\.closedBy(Id)?$|^Share\.group(Name|FullPath)$/, 'replies of GitLab are without it'],
  [
    /^Project\.defaultBranch$|^ProjectSettings\.license$|^User\.(bot|createdAt)$|^PipelineJob\.user$/,
    'in a wire of another type with the same fields',
  ],
  [
    /^(reset|disable)\w*Approv\w+$|^mergeRequests(Author|DisableCommitters)Approval$|^requirePasswordToApprove$/,
    'in the approval configuration',
  ],
  [/^(ciInboundJobTokenScopeEnabled|showDefaultAwardEmojis|readmePath)$/, 'replies of GitLab are without it'],
  [
    /^PipelineJobRecord\.|^DeploymentJobRecord\.userId$/,
    'of the file of a pipeline, for runners; or in a wire of another type',
  ],
  [/^Pipeline\.(projectPath|mergeRequestId)$|^ScimUser\.groupPath$|^path$/, 'in a URL that a function computes'],
  [/^Event\.projectPath$/, 'for the links of pages'],
  [/^ReleaseLink\.filepath$|^PushRecord\.ref$/, 'in a URL or a name that a function computes'],
  [/^ExportDetails\.expiresAt$/, 'for hosts'],
  [/^ScimIdentity\.(groupId|provisioned|createdAt)$/, 'replies of GitLab are without it'],
]
