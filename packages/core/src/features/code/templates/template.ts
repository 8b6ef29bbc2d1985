import { type FileTemplate, type LicenseTemplate, templateKinds } from '../../../ports/templates.ts'

/** Templates that the repository of a project contains. */
export const repositoryTemplateFolders = {
  issues: '.gitlab/issue_templates',
  merge_requests: '.gitlab/merge_request_templates',
} as const

export type RepositoryTemplateKind = keyof typeof repositoryTemplateFolders

/** Kinds of templates of a project. */
export const projectTemplateKinds = [...templateKinds, 'issues', 'merge_requests'] as const

/** A template in a list. */
export interface TemplateSummary {
  /** Unique in its kind, such as `Node` or `mit`. */
  key: string
  /** Display name, such as `Node.js` or `MIT License`. */
  name: string
}

/** A text to start a file, an issue or a merge request with. */
export interface Template {
  /** Display name, such as `Node.js`. */
  name: string
  /** What a new file, issue or merge request starts with. */
  content: string
}

/** The text of a license and what it says. */
export interface License extends Template {
  /** Unique, such as `mit`. */
  key: string
  /** A common shorter name; null without one. */
  nickname: string | null
  /** One sentence about it; null without one. */
  description: string | null
  /** Whether it is among the most common ones. */
  popular: boolean
  /** URL of a page about it; null without one. */
  htmlUrl: string | null
  /** URL of its original text; null without one. */
  sourceUrl: string | null
  /** What it requires, such as `include-copyright`. */
  conditions: string[]
  /** What it allows, such as `commercial-use`. */
  permissions: string[]
  /** What it limits, such as `liability`. */
  limitations: string[]
}

/** The values of placeholders in licenses. Those without a value stay. */
export interface LicenseValues {
  readonly fullname?: string | undefined
  readonly project?: string | undefined
  /** Four digits. */
  readonly year?: string
}

/** As well-known licenses write them: `[yyyy]`, `<name of author>`, `<one line to give the program's name …>`. */
const placeholders = {
  year: /[<{[](?:year|yyyy)[>}\]]/gi,
  fullname: /[<{[](?:fullname|name of (?:author|copyright owner))[>}\]]/gi,
  project: /[<{[](?:project|description|one line [^<>]+ what it does\.)[>}\]]/gi,
}

const fillPlaceholders = (content: string, values: LicenseValues): string => {
  let filled = content
  for (const name of ['year', 'fullname', 'project'] as const)
    filled = filled.replace(placeholders[name], (found) => values[name] || found)
  return filled
}

export const toLicense = (template: LicenseTemplate, values: LicenseValues = {}): License => ({
  key: template.key,
  name: template.name,
  content: fillPlaceholders(template.content, values),
  nickname: template.nickname ?? null,
  description: template.description ?? null,
  popular: template.popular ?? false,
  htmlUrl: template.htmlUrl ?? null,
  sourceUrl: template.sourceUrl ?? null,
  conditions: [...(template.conditions ?? [])],
  permissions: [...(template.permissions ?? [])],
  limitations: [...(template.limitations ?? [])],
})

export const toSummary = ({ key, name }: Pick<FileTemplate, 'key' | 'name'>): TemplateSummary => ({ key, name })
