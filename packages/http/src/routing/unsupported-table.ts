/**
 * Parameters that GitLab documents and that have no effect here, by route; `a.b` is the field `b` of `a`. Calls with one of those
 * marked with `!` fail with 400, because without the parameter they would change or show more than the caller permits. Values that
 * have no effect in GitLab either follow after `=`; so do `false`, null and empty values of every parameter.
 */
export const unsupportedTable: Readonly<Record<string, string>> = {
  'POST /projects/import':
    'override_params.allow_merge_on_skipped_pipeline override_params.analytics_access_level override_params.approvals_before_merge override_params.auto_cancel_pending_pipelines override_params.auto_devops_deploy_strategy override_params.auto_devops_enabled override_params.auto_duo_code_review_enabled override_params.autoclose_referenced_issues override_params.avatar override_params.build_git_strategy override_params.build_timeout override_params.builds_access_level override_params.ci_config_path override_params.container_expiration_policy_attributescadence] override_params.container_expiration_policy_attributesenabled] override_params.container_expiration_policy_attributeskeep_n] override_params.container_expiration_policy_attributesname_regex_keep] override_params.container_expiration_policy_attributesname_regex] override_params.container_expiration_policy_attributesolder_than] override_params.container_registry_access_level override_params.container_registry_enabled override_params.duo_remote_flows_enabled override_params.emails_disabled override_params.emails_enabled override_params.enforce_auth_checks_on_uploads override_params.environments_access_level override_params.external_authorization_classification_label override_params.feature_flags_access_level override_params.forking_access_level override_params.group_runners_enabled override_params.infrastructure_access_level override_params.initialize_with_readme override_params.issue_branch_template override_params.issues_enabled override_params.jobs_enabled override_params.lfs_enabled override_params.merge_commit_template override_params.merge_method override_params.merge_request_title_regex override_params.merge_request_title_regex_description override_params.merge_requests_enabled override_params.mirror override_params.mirror_trigger_builds override_params.model_experiments_access_level override_params.model_registry_access_level override_params.monitor_access_level override_params.mr_default_target_self override_params.only_allow_merge_if_all_discussions_are_resolved override_params.only_allow_merge_if_all_status_checks_passed override_params.only_allow_merge_if_pipeline_succeeds override_params.package_registry_access_level override_params.packages_enabled override_params.pages_access_level override_params.prevent_merge_without_jira_issue override_params.printing_merge_request_link_enabled override_params.public_builds override_params.public_jobs override_params.releases_access_level override_params.remove_source_branch_after_merge override_params.repository_storage override_params.requirements_access_level override_params.resolve_outdated_diff_discussions override_params.resource_group_default_process_mode override_params.security_and_compliance_access_level override_params.service_desk_enabled override_params.shared_runners_enabled override_params.show_default_award_emojis override_params.show_diff_preview_in_email override_params.snippets_enabled override_params.spp_repository_pipeline_access override_params.squash_commit_template override_params.squash_option override_params.suggestion_commit_message override_params.tag_list override_params.topics override_params.warn_about_potentially_unwanted_characters override_params.wiki_access_level override_params.wiki_enabled',
  'POST /groups/import': 'organization_id',
  'GET /projects/:id/templates/:type/:name': 'source_template_project_id',
  'GET /groups': 'active archived marked_for_deletion_on repository_storage',
  'GET /groups/:id/subgroups': 'active archived marked_for_deletion_on repository_storage top_level_only',
  'GET /groups/:id/projects': 'include_ancestor_groups',
  'POST /groups':
    'ai_settings_attributes amazon_q_auto_review_enabled default_branch !default_branch_protection_defaults duo_availability duo_remote_flows_availability !enabled_git_access_protocol=all experiment_features_enabled extra_shared_runners_minutes_limit ldap_access ldap_cn !membership_lock model_prompt_cache_enabled organization_id shared_runners_minutes_limit shared_runners_setting show_diff_preview_in_email wiki_access_level',
  'PUT /groups/:id':
    'ai_settings_attributes allowed_email_domains_list amazon_q_auto_review_enabled auto_ban_user_on_excessive_projects_download auto_duo_code_review_enabled default_branch !default_branch_protection_defaults duo_availability duo_core_features_enabled duo_features_enabled duo_remote_flows_availability !enabled_git_access_protocol=all experiment_features_enabled extra_shared_runners_minutes_limit ip_restriction_ranges ldap_access ldap_cn lock_duo_features_enabled lock_math_rendering_limits_enabled math_rendering_limits_enabled max_artifacts_size !membership_lock model_prompt_cache_enabled !prevent_forking_outside_group !prevent_sharing_groups_outside_hierarchy service_access_tokens_expiration_enforced shared_runners_minutes_limit shared_runners_setting show_diff_preview_in_email unique_project_download_limit unique_project_download_limit_alertlist unique_project_download_limit_allowlist unique_project_download_limit_interval_in_seconds web_based_commit_signing_enabled wiki_access_level',
  'GET /groups/:id/descendant_groups': 'active archived marked_for_deletion_on repository_storage top_level_only',
  'POST /groups/:id/share': '!member_role_id',
  'GET /groups/:id/labels': 'include_descendant_groups only_group_labels',
  'GET /groups/:id/labels/:label_id': 'include_descendant_groups only_group_labels',
  'GET /issues_statistics':
    'epic_id health_status iteration_id iteration_title milestone_id not.iteration_id not.iteration_title not.milestone_id',
  'GET /groups/:id/issues_statistics':
    'epic_id health_status iteration_id iteration_title milestone_id not.iteration_id not.iteration_title not.milestone_id',
  'GET /projects/:id/issues_statistics':
    'epic_id health_status iteration_id iteration_title milestone_id not.iteration_id not.iteration_title not.milestone_id',
  'GET /groups/:id/members': 'show_seat_info with_saml_identity',
  'GET /groups/:id/members/all': 'show_seat_info state',
  'POST /groups/:id/members': 'invite_source tasks_project_id tasks_to_be_done !username',
  'PUT /groups/:id/members/:user_id': '!member_role_id',
  'DELETE /groups/:id/members/:user_id': '!skip_subresources unassign_issuables',
  'GET /projects/:id/members': 'show_seat_info with_saml_identity',
  'GET /projects/:id/members/all': 'show_seat_info state',
  'POST /projects/:id/members': 'invite_source tasks_project_id tasks_to_be_done !username',
  'PUT /projects/:id/members/:user_id': '!member_role_id',
  'DELETE /projects/:id/members/:user_id': '!skip_subresources unassign_issuables',
  'POST /groups/:id/invitations': '!member_role_id tasks_project_id tasks_to_be_done',
  'PUT /groups/:id/invitations/:email': '!member_role_id',
  'POST /projects/:id/invitations': '!member_role_id tasks_project_id tasks_to_be_done',
  'PUT /projects/:id/invitations/:email': '!member_role_id',
  'POST /projects/:id/merge_requests/:merge_request_iid/notes': '!merge_request_diff_sha',
  'GET /projects/:id/repository/archive': '!exclude_paths format include_lfs_blobs',
  'GET /projects/:id/repository/compare': '!from_project_id unidiff',
  'GET /projects/:id/repository/branches': 'page_token',
  'GET /projects/:id/repository/tags': 'page_token',
  'POST /projects/:id/repository/files/:file_path': '!last_commit_id',
  'POST /projects/:id/repository/commits/:sha/discussions': 'position.height position.width position.x position.y',
  'GET /projects/:id/environments': 'states',
  'POST /projects/:id/environments':
    'auto_stop_setting cluster_agent_id description flux_resource_path kubernetes_namespace',
  'PUT /projects/:id/environments/:environment_id':
    'auto_stop_setting cluster_agent_id description flux_resource_path kubernetes_namespace',
  'GET /projects/:id/deployments': 'finished_after finished_before',
  'GET /projects/:id/deployments/:deployment_id/merge_requests': 'deployed_after deployed_before environment',
  'GET /groups/:id/epics': 'my_reaction_emoji not with_labels_details',
  'POST /groups/:id/epics': 'created_at !parent_id',
  'PUT /groups/:id/epics/:epic_iid': '!parent_id updated_at',
  'GET /search': 'fields',
  'GET /projects/:id/repository/commits/:sha/statuses': 'order_by sort',
  'POST /ci/lint': 'include_merged_yaml',
  'GET /projects/:id/ci/lint': 'dry_run_ref sha',
  'POST /projects/:id/pipeline': '!inputs',
  'POST /projects/:id/merge_requests/:merge_request_iid/pipelines': 'async',
  'POST /projects/:id/ref/:ref/trigger/pipeline': '!inputs',
  'POST /projects/:id/pipeline_schedules': '!inputs',
  'PUT /projects/:id/pipeline_schedules/:pipeline_schedule_id': '!inputs',
  'POST /projects/:id/jobs/:job_id/play': '!job_variables_attributes',
  'POST /projects/:id/jobs/:job_id/cancel': 'force',
  'POST /projects/:id/remote_mirrors': '!auth_method=password !mirror_branch_regex',
  'PUT /projects/:id/remote_mirrors/:mirror_id': '!auth_method=password !mirror_branch_regex',
  'GET /users': 'auditors exclude_internal order_by saml_provider_id skip_ldap with_custom_attributes without_projects',
  'GET /users/:id': 'with_custom_attributes',
  'POST /users':
    'auditor commit_email discord !extern_uid force_random_password group_id_for_saml note password pronouns !provider reset_password skip_confirmation view_diffs_file_by_file',
  'PUT /users/:id':
    'auditor commit_email discord !extern_uid group_id_for_saml note password pronouns !provider skip_reconfirmation view_diffs_file_by_file',
  'POST /user/keys': '!usage_type=auth_and_signing',
  'POST /users/:id/keys': '!usage_type=auth_and_signing',
  'GET /projects':
    'imported include_hidden include_pending_delete marked_for_deletion_on repository_checksum_failed repository_storage search_namespaces statistics wiki_checksum_failed with_programming_language',
  'GET /projects/:id': 'license statistics',
  'GET /users/:user_id/projects':
    'imported include_hidden include_pending_delete marked_for_deletion_on membership owned repository_checksum_failed repository_storage search_namespaces statistics wiki_checksum_failed with_programming_language',
  'GET /users/:user_id/starred_projects':
    'imported include_hidden include_pending_delete marked_for_deletion_on membership owned repository_checksum_failed repository_storage search_namespaces statistics wiki_checksum_failed with_programming_language',
  'POST /projects':
    'allow_merge_on_skipped_pipeline analytics_access_level auto_duo_code_review_enabled build_git_strategy container_expiration_policy_attributes !container_registry_access_level=enabled duo_remote_flows_enabled enforce_auth_checks_on_uploads environments_access_level external_authorization_classification_label feature_flags_access_level group_runners_enabled !group_with_project_templates_id !import_url infrastructure_access_level issue_branch_template merge_pipelines_enabled merge_request_title_regex merge_request_title_regex_description merge_trains_enabled !mirror mirror_trigger_builds model_experiments_access_level model_registry_access_level monitor_access_level mr_default_target_self only_allow_merge_if_all_status_checks_passed operations_access_level package_registry_access_level packages_enabled prevent_merge_without_jira_issue releases_access_level repository_object_format repository_storage requirements_access_level resource_group_default_process_mode security_and_compliance_access_level service_desk_enabled show_default_award_emojis show_diff_preview_in_email spp_repository_pipeline_access !template_name !template_project_id !use_custom_template warn_about_potentially_unwanted_characters',
  'POST /projects/user/:user_id':
    'allow_merge_on_skipped_pipeline analytics_access_level auto_duo_code_review_enabled build_git_strategy container_expiration_policy_attributes !container_registry_access_level=enabled duo_remote_flows_enabled enforce_auth_checks_on_uploads environments_access_level external_authorization_classification_label feature_flags_access_level group_runners_enabled !group_with_project_templates_id !import_url infrastructure_access_level issue_branch_template merge_request_title_regex merge_request_title_regex_description !mirror mirror_trigger_builds model_experiments_access_level model_registry_access_level monitor_access_level mr_default_target_self !namespace_id only_allow_merge_if_all_status_checks_passed operations_access_level package_registry_access_level packages_enabled prevent_merge_without_jira_issue releases_access_level repository_object_format repository_storage requirements_access_level resource_group_default_process_mode security_and_compliance_access_level service_desk_enabled show_default_award_emojis show_diff_preview_in_email spp_repository_pipeline_access !template_name !template_project_id !use_custom_template warn_about_potentially_unwanted_characters',
  'PUT /projects/:id':
    'allow_merge_on_skipped_pipeline allow_pipeline_trigger_approve_deployment analytics_access_level auto_duo_code_review_enabled build_git_strategy ci_allow_fork_pipelines_to_run_in_parent_project ci_delete_pipelines_in_seconds ci_forward_deployment_enabled ci_forward_deployment_rollback_allowed ci_id_token_sub_claim_components ci_restrict_pipeline_cancellation_role ci_separated_caches container_expiration_policy_attributes !container_registry_access_level=enabled duo_remote_flows_enabled enforce_auth_checks_on_uploads environments_access_level external_authorization_classification_label fallback_approvals_required feature_flags_access_level group_runners_enabled !import_url infrastructure_access_level initialize_with_readme issue_branch_template issues_template keep_latest_artifact max_artifacts_size merge_pipelines_enabled merge_request_title_regex merge_request_title_regex_description merge_requests_template merge_trains_enabled merge_trains_skip_train_allowed !mirror !mirror_branch_regex mirror_overwrites_diverged_branches mirror_trigger_builds mirror_user_id model_experiments_access_level model_registry_access_level monitor_access_level mr_default_target_self only_allow_merge_if_all_status_checks_passed only_mirror_protected_branches operations_access_level package_registry_access_level packages_enabled prevent_merge_without_jira_issue releases_access_level repository_storage requirements_access_level resource_group_default_process_mode security_and_compliance_access_level service_desk_enabled show_default_award_emojis show_diff_preview_in_email spp_repository_pipeline_access warn_about_potentially_unwanted_characters web_based_commit_signing_enabled',
  'POST /projects/:id/housekeeping': 'task',
  'POST /projects/:id/share': '!member_role_id',
  'POST /projects/:id/fork': '!branches mr_default_target_self',
  'GET /projects/:id/forks':
    'imported include_hidden include_pending_delete marked_for_deletion_on membership owned repository_checksum_failed repository_storage search_namespaces statistics wiki_checksum_failed with_programming_language',
  'GET /namespaces': 'full_path_search requested_hosted_plan',
  'GET /deploy_keys': 'public',
  'GET /issues':
    'closed_by_id epic_id health_status iteration_id iteration_title not.iteration_id not.iteration_title not.milestone_id',
  'GET /groups/:id/issues':
    'closed_by_id epic_id health_status iteration_id iteration_title not.iteration_id not.iteration_title not.milestone_id',
  'GET /projects/:id/issues':
    'closed_by_id cursor epic_id health_status iteration_id iteration_title not.iteration_id not.iteration_title not.milestone_id',
  'POST /projects/:id/issues':
    'add_labels assignee_id discussion_to_resolve epic_id epic_iid iid !issue_type=issue merge_request_to_resolve_discussions_of remove_labels',
  'PUT /projects/:id/issues/:issue_iid': 'assignee_id created_at epic_id epic_iid !issue_type=issue updated_at',
  'GET /merge_requests': 'approver_ids deployed_after deployed_before environment',
  'GET /groups/:id/merge_requests': 'approver_ids deployed_after deployed_before environment',
  'GET /projects/:id/merge_requests': 'approver_ids deployed_after deployed_before environment',
  'POST /projects/:id/merge_requests': 'add_labels approvals_before_merge !merge_after remove_labels',
  'GET /projects/:id/merge_requests/:merge_request_iid': 'render_html',
  'PUT /projects/:id/merge_requests/:merge_request_iid': 'approvals_before_merge !merge_after',
  'PUT /projects/:id/merge_requests/:merge_request_iid/merge': 'skip_merge_train',
  'GET /projects/:id/merge_requests/:merge_request_iid/diffs': 'unidiff',
  'GET /projects/:id/merge_requests/:merge_request_iid/changes': 'access_raw_diffs unidiff',
  'GET /projects/:id/merge_requests/:merge_request_iid/versions/:version_id': 'unidiff',
  'GET /projects/:id/repository/commits/:sha/merge_requests': 'state',
  'POST /projects/:id/approvals': '!merge_requests_disable_committers_approval !require_password_to_approve',
  'POST /projects/:id/approval_rules': '!report_type',
  'POST /projects/:id/merge_requests/:merge_request_iid/approve': 'approval_password',
  'POST /projects/:id/merge_requests/:merge_request_iid/discussions':
    'position.height position.line_range position.width position.x position.y',
  'POST /groups/:id/epics/:epic_id/discussions': 'created_at',
  'POST /groups/:id/epics/:epic_id/discussions/:discussion_id/notes': 'created_at',
  'GET /projects/:id/releases': 'include_html_description updated_after updated_before',
  'POST /projects/:id/releases': 'legacy_catalog_publish milestone_ids',
  'GET /projects/:id/releases/:tag_name': 'include_html_description',
  'PUT /projects/:id/releases/:tag_name': 'milestone_ids',
  'PATCH /projects/:id/protected_branches/:name': '!unprotect_access_level',
  'POST /groups/:id/wikis': 'front_matter',
  'PUT /groups/:id/wikis/:slug': 'front_matter',
  'POST /projects/:id/wikis': 'front_matter',
  'PUT /projects/:id/wikis/:slug': 'front_matter',
  'GET /topics': 'organization_id',
  'POST /topics': 'avatar organization_id',
  'PUT /topics/:id': 'avatar',
  'POST /broadcast_messages': 'color font',
  'PUT /broadcast_messages/:id': 'color font',
  'PUT /application/appearance': 'favicon header_logo logo pwa_icon',
  'POST /projects/:id/variables': 'description',
  'PUT /projects/:id/variables/:key': 'description',
  'POST /groups/:id/variables': 'description',
  'PUT /groups/:id/variables/:key': 'description',
  'POST /admin/ci/variables': 'description',
  'PUT /admin/ci/variables/:key': 'description',
  'GET /projects/:id/packages/:package_id/pipelines': 'cursor',
  'GET /projects/:id/packages/:package_id/package_files': 'order_by sort',
  'POST /projects/:id/hooks':
    '!branch_filter_strategy=wildcard !custom_webhook_template description emoji_events feature_flag_events milestone_events name resource_access_token_events !url_variables vulnerability_events',
  'PUT /projects/:id/hooks/:hook_id':
    '!branch_filter_strategy=wildcard !custom_webhook_template description emoji_events feature_flag_events milestone_events name resource_access_token_events !url_variables vulnerability_events',
  'GET /projects/:id/hooks/:hook_id/events': 'status',
  'POST /hooks': '!branch_filter_strategy=wildcard description name !url_variables',
  'PUT /hooks/:hook_id': '!branch_filter_strategy=wildcard description name !url_variables',
}
