import type { GitIdentity } from '../../../../ports/git.ts'
import type { RepositoryCommit } from '../../../code/repository/repository.ts'

/** The data of the variables in templates of commit messages. */
export interface MessageInput {
  readonly mergeRequest: {
    readonly iid: number
    readonly title: string
    readonly description: string | null
    readonly sourceBranch: string
    readonly targetBranch: string
  }
  /** Full path of the project. */
  readonly projectPath: string
  /** URL of the site, without a trailing slash; undefined for calls that do not come over HTTP. */
  readonly siteUrl: string | undefined
  /** The commits of the merge request, oldest first. */
  readonly commits: readonly RepositoryCommit[]
  /** References to the closed issues: `#1`, `acme/api#2`. */
  readonly closedIssues: readonly string[]
  readonly author: GitIdentity
  readonly mergedBy: GitIdentity
  readonly reviewers: readonly GitIdentity[]
  readonly approvers: readonly GitIdentity[]
}

/** Commits and messages that variables contain; further ones are omitted. */
const maximumCommits = 100
const maximumMessageLength = 100 * 1024

const isMultiline = ({ message }: RepositoryCommit) => message.trimEnd().includes('\n')

const formatIdentity = ({ name, email }: GitIdentity) => `${name} <${email}>`

const formatTrailers = (key: string, users: readonly GitIdentity[]) =>
  [...new Set(users.map((user) => `${key}: ${formatIdentity(user)}`))].join('\n')

/** `a`, `a and b`, `a, b, and c`. */
const joinWords = (words: readonly string[]): string => {
  if (words.length < 3) return words.join(' and ')
  return `${words.slice(0, -1).join(', ')}, and ${words.at(-1)}`
}

const withoutTitle = (message: string) => message.split('\n').slice(1).join('\n').trim()

const formatCommit = ({ title, message }: RepositoryCommit): string => {
  const body = message.length > maximumMessageLength ? '' : withoutTitle(message)
  return `* ${title}${body && `\n\n${body}`}`
}

const getCommits = ({ commits }: MessageInput) =>
  commits.filter(({ parentIds }) => parentIds.length < 2).slice(-maximumCommits)

const getFirstMultiline = ({ commits }: MessageInput) =>
  commits.find((commit) => commit.parentIds.length < 2 && isMultiline(commit))

const getCoAuthors = (input: MessageInput): GitIdentity[] =>
  input.commits
    .slice(-maximumCommits)
    .map(({ authorName: name, authorEmail: email }) => ({ name, email }))
    .filter(({ email }) => email !== input.author.email)

/** Texts of variables, by name. */
type Variables<I> = Readonly<Record<string, (input: I) => string>>

/** The documented variables: https://docs.gitlab.com/user/project/merge_requests/commit_templates/ */
const mergeVariables: Variables<MessageInput> = {
  source_branch: ({ mergeRequest }) => mergeRequest.sourceBranch,
  target_branch: ({ mergeRequest }) => mergeRequest.targetBranch,
  title: ({ mergeRequest }) => mergeRequest.title,
  description: ({ mergeRequest }) => mergeRequest.description ?? '',
  issues: ({ closedIssues }) => (closedIssues.length ? `Closes ${joinWords(closedIssues)}` : ''),
  reference: ({ projectPath, mergeRequest }) => `${projectPath}!${mergeRequest.iid}`,
  local_reference: ({ mergeRequest }) => `!${mergeRequest.iid}`,
  project_path: ({ projectPath }) => projectPath,
  url: ({ siteUrl, projectPath, mergeRequest }) =>
    siteUrl === undefined ? '' : `${siteUrl}/${projectPath}/-/merge_requests/${mergeRequest.iid}`,
  first_commit: ({ commits }) => commits[0]?.message.trim() ?? '',
  first_multiline_commit: (input) => getFirstMultiline(input)?.message.trim() ?? input.mergeRequest.title,
  first_multiline_commit_description: (input) => withoutTitle(getFirstMultiline(input)?.message ?? ''),
  all_commits: (input) => getCommits(input).map(formatCommit).join('\n\n'),
  co_authored_by: (input) => formatTrailers('Co-authored-by', getCoAuthors(input)),
  merged_by: ({ mergedBy }) => formatIdentity(mergedBy),
  merge_request_author: ({ author }) => formatIdentity(author),
  reviewed_by: ({ reviewers }) => formatTrailers('Reviewed-by', reviewers),
  approved_by: ({ approvers }) => formatTrailers('Approved-by', approvers),
}

const placeholder = /%\{([a-z_]+)\}/g

const defaultMergeTemplate = `Merge branch '%{source_branch}' into '%{target_branch}'

%{title}

%{issues}

See merge request %{reference}`

const defaultSquashTemplate = '%{title}'

/** Replaces the variables of one line; undefined for a line that contains only empty variables. Unknown ones remain. */
const renderLine = <I>(line: string, variables: Variables<I>, input: I): string | undefined => {
  const text = line.replace(placeholder, (whole, name) =>
    Object.hasOwn(variables, name) ? (variables[name]?.(input) ?? whole) : whole,
  )
  const isOnlyVariables = line.trim() !== '' && line.replace(placeholder, '').trim() === ''
  return isOnlyVariables && text.trim() === '' ? undefined : text
}

/** Replaces the variables of a template. A line of empty variables is removed, with one of two empty lines around it. */
export const renderTemplate = <I>(template: string, variables: Variables<I>, input: I): string => {
  const lines: string[] = []
  let isAfterRemoved = false
  for (const line of template.replaceAll('\r\n', '\n').split('\n')) {
    const rendered = renderLine(line, variables, input)
    if (rendered === undefined) {
      isAfterRemoved = true
      continue
    }
    if (isAfterRemoved && rendered === '' && (lines.at(-1) ?? '') === '') continue
    isAfterRemoved = false
    lines.push(rendered)
  }
  return lines.join('\n').trim()
}

/** Git rejects messages with a null character, and an empty message has no title. */
const toMessage = (text: string, { mergeRequest }: MessageInput): string => {
  const message = text.replaceAll('\0', '').trim()
  return message === '' ? mergeRequest.title : message
}

/** The message of a merge commit. `template` null: the default. */
export const createMergeMessage = (template: string | null, input: MessageInput): string =>
  toMessage(renderTemplate(template || defaultMergeTemplate, mergeVariables, input), input)

/** The message of the commit that combines the commits of a merge request. `template` null: the default. */
export const createSquashMessage = (template: string | null, input: MessageInput): string =>
  toMessage(renderTemplate(template || defaultSquashTemplate, mergeVariables, input), input)
