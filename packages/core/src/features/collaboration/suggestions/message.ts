import type { GitIdentity } from '../../../ports/git.ts'
import { renderTemplate } from '../merge-requests/merging/commit-messages.ts'

/** The data of the variables in templates of messages of applied suggestions. */
interface MessageInput {
  readonly branch: string
  /** Paths of the changed files. */
  readonly files: readonly string[]
  readonly project: { readonly fullPath: string; readonly name: string }
  /** The user who applies the suggestions. */
  readonly user: { readonly name: string; readonly username: string }
  /** Number of applied suggestions. */
  readonly count: number
  /** Authors of the suggestions other than the user who applies them. */
  readonly coAuthors: readonly GitIdentity[]
}

/** The documented variables: https://docs.gitlab.com/user/project/merge_requests/reviews/suggestions/ */
const variables: Readonly<Record<string, (input: MessageInput) => string>> = {
  branch_name: ({ branch }) => branch,
  files_count: ({ files }) => String(files.length),
  file_paths: ({ files }) => files.join(', '),
  project_path: ({ project }) => project.fullPath,
  project_name: ({ project }) => project.name,
  user_full_name: ({ user }) => user.name,
  username: ({ user }) => user.username,
  suggestions_count: ({ count }) => String(count),
  co_authored_by: ({ coAuthors }) =>
    coAuthors.map(({ name, email }) => `Co-authored-by: ${name} <${email}>`).join('\n'),
}

const defaultTemplate = `Apply %{suggestions_count} suggestion(s) to %{files_count} file(s)

%{co_authored_by}`

/** The message of a commit that applies suggestions. Git rejects null characters. */
export const createSuggestionMessage = (template: string, input: MessageInput): string =>
  renderTemplate(template.trim() || defaultTemplate, variables, input).replaceAll('\0', '') ||
  renderTemplate(defaultTemplate, variables, input)
