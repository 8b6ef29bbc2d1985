/** Settings of GitLab's current documentation that the two specifications do not contain, by their names in HTTP. */
export const currentSettings: readonly string[] = `
  receive_max_input_size max_package_file_size max_packages_size
  require_admin_approval_after_user_signup email_restrictions_enabled email_restrictions
  minimum_password_length password_number_required password_lowercase_required password_uppercase_required
  password_symbol_required user_default_external user_default_internal_regex user_defaults_to_private_profile
  can_create_group deactivate_dormant_users deactivate_dormant_users_period restricted_visibility_levels
  default_branch_name notes_create_limit search_rate_limit snippet_size_limit
  wiki_page_max_content_bytes max_artifacts_size max_personal_access_token_lifetime
`
  .trim()
  .split(/\s+/)
